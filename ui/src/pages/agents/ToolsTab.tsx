/** All tools, by family: which of them this agent may use, why or why not, and what they take. */
import { Group, SegmentedControl, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight, Search, Wrench } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { toolsQuery } from '../../api/queries';
import type { AgentView, ToolView } from '../../api/types';
import { CodeBlock } from '../../parts/markdown/CodeBlock';
import { usePlace } from '../../parts/place';
import { Empty } from '../../parts/states/Empty';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { said } from '../../parts/text/said';
import { duration } from '../../parts/text/time';
import { ToolIcon } from '../../parts/tool/icons';
import classes from './Agent.module.css';

interface Props {
  agent: AgentView;
}

type Which = 'all' | 'allowed' | 'denied';

export function ToolsTab({ agent }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const [text, setText] = useState('');
  const [which, setWhich] = useState<Which>('all');
  const query = useQuery(toolsQuery(office, agent.name));
  if (query.isPending) return <Loading rows={8} />;
  if (query.error) {
    return <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />;
  }
  const familyName = (family: string) =>
    t(`agents.tools.family.${family}`, { defaultValue: family });
  const words = text.toLowerCase();
  const tools = query.data.filter(
    (tool) =>
      (which === 'all' || tool.allowed === (which === 'allowed')) &&
      `${tool.name} ${tool.description}`.toLowerCase().includes(words),
  );
  const families = [...new Set(tools.map((tool) => tool.family))];
  return (
    <>
      <Group gap="xs" mb="md">
        <TextInput
          size="xs"
          w={220}
          leftSection={<Search size={14} />}
          placeholder={t('agents.tools.words')}
          aria-label={t('agents.tools.words')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <SegmentedControl
          size="xs"
          data={(['all', 'allowed', 'denied'] as const).map((value) => ({
            value,
            label: t(`agents.tools.which.${value}`),
          }))}
          value={which}
          onChange={(next) => setWhich(next as Which)}
          aria-label={t('agents.tools.which_label')}
        />
      </Group>
      {tools.length === 0 && <Empty icon={<Wrench size={24} />} title={t('agents.tools.none')} />}
      <Stack gap="lg">
        {families.map((family) => (
          <section key={family} aria-label={familyName(family)}>
            <Text size="sm" fw={650} c="dimmed" mb={6}>
              {familyName(family)}
            </Text>
            {tools
              .filter((tool) => tool.family === family)
              .map((tool) => (
                <Tool key={tool.name} tool={tool} />
              ))}
          </section>
        ))}
      </Stack>
    </>
  );
}

function Tool({ tool }: { tool: ToolView }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const id = useId();
  return (
    <div
      className={`${classes.block} ${classes.tool}`}
      data-denied={tool.allowed ? undefined : true}
    >
      <UnstyledButton
        className={classes.blockHead}
        aria-expanded={opened}
        aria-controls={id}
        onClick={() => setOpened(!opened)}
      >
        <ChevronRight
          size={14}
          className={classes.chevron}
          data-open={opened || undefined}
          aria-hidden="true"
        />
        <ToolIcon name={tool.name} />
        <span className={classes.blockName}>{tool.name}</span>
        {tool.read_only && <span className={classes.mark}>{t('agents.tools.read_only')}</span>}
        {tool.dangerous && (
          <span className={classes.mark} data-tone="warn">
            {t('agents.tools.dangerous')}
          </span>
        )}
        <span className={classes.spring} />
        <span className={classes.size}>{said(tool.reason)}</span>
        <span className={classes.mark} data-tone={tool.allowed ? 'good' : 'bad'}>
          {t(tool.allowed ? 'agents.tools.allowed' : 'agents.tools.denied')}
        </span>
      </UnstyledButton>
      {opened && (
        <div className={classes.toolInside} id={id}>
          <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
            {tool.description}
          </Text>
          <Text size="xs" c="dimmed" my={6}>
            {t('agents.tools.limit', { time: duration(tool.limit_s * 1000) })}
          </Text>
          <CodeBlock text={JSON.stringify(tool.parameters, null, 2)} language="json" bare />
        </div>
      )}
    </div>
  );
}
