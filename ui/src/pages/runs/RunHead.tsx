/** What a run was about, how it ended, what it cost, and the way to all around it. */
import { Alert, Button, Group, Text, Title } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Activity, SquareTerminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunView } from '../../api/types';
import { AgentChip } from '../../parts/AgentChip';
import { Money } from '../../parts/Money';
import { paths, threadPath } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { StateBadge } from '../../parts/StateBadge';
import { TimeText } from '../../parts/TimeText';
import { To } from '../../parts/To';
import { Tokens } from '../../parts/Tokens';
import { gist } from '../../parts/text/gist';
import { said } from '../../parts/text/said';
import { useAgent, useSnapshot } from '../../stream/hooks';
import classes from './Runs.module.css';
import { showCommand } from './replay';

interface Props {
  run: RunView;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function RunHead({ run }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const agent = useAgent(run.agent);
  const clipboard = useClipboard();
  return (
    <header className={classes.head}>
      <Group gap="xs" mb={6}>
        <To to={paths.runs(office)} className={classes.back}>
          {t('runs.title')}
        </To>
        <Text span size="sm" c="dimmed">
          / {run.id}
        </Text>
        <StateBadge of="run" state={run.state} />
      </Group>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Title order={1} className={classes.title} lineClamp={2} title={run.title}>
          {run.title || run.id}
        </Title>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<Activity size={14} />}
            component={To}
            to={paths.feed(office, { run: run.id })}
          >
            {t('runs.in_feed')}
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<SquareTerminal size={14} />}
            onClick={() => clipboard.copy(showCommand(office, run.id))}
          >
            {t(clipboard.copied ? 'parts.copied' : 'runs.copy_command')}
          </Button>
        </Group>
      </Group>
      <dl className={classes.facts}>
        <Fact name={t('runs.agent')}>
          <AgentChip name={run.agent} agent={agent} to={paths.agent(office, run.agent)} />
        </Fact>
        <Fact name={t('runs.came_by')}>
          <Origin run={run} />
        </Fact>
        <Fact name={t('runs.began')}>
          <TimeText at={run.started_at} />
        </Fact>
        <Fact name={t('runs.steps')}>
          {t('parts.turns', { count: run.turns })}, {t('parts.calls', { count: run.calls })}
        </Fact>
        <Fact name={t('runs.tokens')}>
          <Tokens usage={run.usage} />
        </Fact>
        <Fact name={t('runs.cost')}>
          <Money micros={run.cost_usd_micros} />
        </Fact>
        <Fact name={t('runs.model')}>
          <span className={classes.mono}>{run.model}</span>
        </Fact>
      </dl>
      {run.reason !== '' && (
        <Alert mt="md" color={run.state === 'failed' ? 'red' : 'dawn'} title={t('runs.why_ended')}>
          {said(run.reason)}
          {run.reason_code && (
            <Text size="xs" c="dimmed" mt={4}>
              {run.reason_code}
            </Text>
          )}
        </Alert>
      )}
      {run.outcome !== '' && <Text className={classes.outcome}>{gist(run.outcome)}</Text>}
    </header>
  );
}

function Origin({ run }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const thread = useSnapshot((s) => s.threads[run.thread]);
  const kind = t(`runs.kind.${run.kind}`, { defaultValue: run.kind });
  return (
    <>
      {run.task ? <To to={paths.board(office, run.task)}>{run.task}</To> : kind}
      {thread && (
        <>
          {' · '}
          <To to={threadPath(office, thread)}>{thread.title || thread.name}</To>
        </>
      )}
    </>
  );
}
