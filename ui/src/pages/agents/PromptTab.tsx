/** The system prompt an agent has now: its blocks with their sizes, or the whole text as the model reads it. */
import { Button, Group, Progress, SegmentedControl, Text, UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight, Copy } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { promptQuery } from '../../api/queries';
import type { AgentView, PromptView } from '../../api/types';
import { usePlace } from '../../parts/place';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { plain } from '../../parts/text/numbers';
import classes from './Agent.module.css';

interface Props {
  agent: AgentView;
}

export function PromptTab({ agent }: Props) {
  const { t, i18n } = useTranslation();
  const { office } = usePlace();
  const [whole, setWhole] = useState(false);
  const clipboard = useClipboard();
  const query = useQuery(promptQuery(office, agent.name));
  if (query.isPending) return <Loading rows={8} />;
  if (query.error) {
    return <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />;
  }
  const prompt = query.data;
  const text = prompt.blocks.map((block) => block.text).join('\n\n');
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        <Text size="sm" c="dimmed" className="tabular">
          {t('agents.prompt.size', {
            chars: plain(prompt.chars, i18n.language),
            cap: plain(prompt.cap, i18n.language),
          })}
          {' · '}
          {t('agents.prompt.version', { version: prompt.version, hash: prompt.hash })}
        </Text>
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            data={[
              { value: 'blocks', label: t('agents.prompt.blocks') },
              { value: 'whole', label: t('agents.prompt.whole') },
            ]}
            value={whole ? 'whole' : 'blocks'}
            onChange={(next) => setWhole(next === 'whole')}
            aria-label={t('agents.prompt.how')}
          />
          <Button
            size="xs"
            variant="default"
            leftSection={<Copy size={13} />}
            onClick={() => clipboard.copy(text)}
          >
            {t(clipboard.copied ? 'parts.copied' : 'parts.copy')}
          </Button>
        </Group>
      </Group>
      {whole ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long text scrolls, and must do so by keyboard
        <pre className={`${classes.text} ${classes.whole}`} tabIndex={0}>
          {text}
        </pre>
      ) : (
        prompt.blocks.map((block) => <Block key={block.name} block={block} />)
      )}
    </>
  );
}

function Block({ block }: { block: PromptView['blocks'][number] }) {
  const { t, i18n } = useTranslation();
  const [opened, setOpened] = useState(false);
  const id = useId();
  const title = t(`agents.prompt.block.${block.name}`, { defaultValue: block.title });
  const share = block.cap > 0 ? (block.chars / block.cap) * 100 : 0;
  return (
    <section className={classes.block}>
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
        <span className={classes.blockName}>{title}</span>
        {block.cut && (
          <span className={classes.mark} data-tone="warn">
            {t('agents.prompt.cut')}
          </span>
        )}
        <span className={classes.spring} />
        <span className={classes.size}>
          {t('agents.prompt.size', {
            chars: plain(block.chars, i18n.language),
            cap: plain(block.cap, i18n.language),
          })}
        </span>
        <Progress
          w={90}
          size="sm"
          value={Math.max(1, share)}
          color={block.cut ? 'dawn.6' : 'pine.6'}
          aria-label={t('agents.prompt.share', { block: title })}
        />
      </UnstyledButton>
      {opened && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long text scrolls, and must do so by keyboard
        <pre className={classes.text} id={id} tabIndex={0}>
          {block.text}
        </pre>
      )}
    </section>
  );
}
