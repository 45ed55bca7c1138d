/** An agent at a glance: its job, its place in the office, its open tasks and last runs. */
import { Grid, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { runsQuery } from '../../api/queries';
import type { AgentView } from '../../api/types';
import { AgentChip } from '../../parts/AgentChip';
import { Panel } from '../../parts/Panel';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { RunRows } from '../../parts/RunRows';
import { StateBadge } from '../../parts/StateBadge';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { To } from '../../parts/To';
import { useAgents, useSnapshot } from '../../stream/hooks';
import classes from './Agent.module.css';

interface Props {
  agent: AgentView;
}

const RUNS = 5;

export function OverviewTab({ agent }: Props) {
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Stack gap="lg">
          <Tasks agent={agent} />
          <LastRuns agent={agent} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Facts agent={agent} />
      </Grid.Col>
    </Grid>
  );
}

function Facts({ agent }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const agents = useAgents();
  const manages = Object.values(agents).filter((one) => one.reports_to === agent.name);
  return (
    <Panel title={t('agents.about')}>
      {agent.description && (
        <Text size="sm" mb="md">
          {agent.description}
        </Text>
      )}
      <dl className={classes.facts}>
        <dt>{t('agents.field.model')}</dt>
        <dd className={classes.mono}>{agent.model}</dd>
        <dt>{t('agents.field.thinking')}</dt>
        <dd>{t(`agents.thinking.${agent.thinking}`)}</dd>
        <dt>{t('agents.field.priority')}</dt>
        <dd>{t(`agents.priority.${agent.priority}`, { defaultValue: agent.priority })}</dd>
        <dt>{t('agents.duty_label')}</dt>
        <dd>{t(`agents.duty.${agent.duty}`)}</dd>
        <dt>{t('agents.computer')}</dt>
        <dd>{agent.computer}</dd>
        <dt>{t('agents.tab.tools')}</dt>
        <dd>
          <To to={paths.agent(office, agent.name, 'tools')}>
            {t('agents.tool_count', { count: agent.tools.length })}
          </To>
        </dd>
        <dt>{t('agents.field.reports_to')}</dt>
        <dd>
          {agent.reports_to ? (
            <AgentChip
              name={agent.reports_to}
              agent={agents[agent.reports_to]}
              to={paths.agent(office, agent.reports_to)}
            />
          ) : (
            t('agents.people')
          )}
        </dd>
        {manages.length > 0 && (
          <>
            <dt>{t('agents.manages')}</dt>
            <dd>
              <Stack gap={6}>
                {manages.map((one) => (
                  <AgentChip
                    key={one.name}
                    name={one.name}
                    agent={one}
                    to={paths.agent(office, one.name)}
                  />
                ))}
              </Stack>
            </dd>
          </>
        )}
      </dl>
    </Panel>
  );
}

function Tasks({ agent }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const tasks = useSnapshot((s) => s.tasks);
  const open = useMemo(
    () =>
      Object.values(tasks)
        .filter(
          (task) =>
            task.assignee === agent.name && task.status !== 'done' && task.status !== 'failed',
        )
        .sort((a, b) => b.priority - a.priority),
    [tasks, agent.name],
  );
  return (
    <Panel title={t('agents.open_tasks')}>
      {open.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('agents.no_tasks')}
        </Text>
      ) : (
        <ul className={classes.list}>
          {open.map((task) => (
            <li key={task.id} className={classes.line}>
              <To to={paths.board(office, task.id)} className={classes.grow}>
                {task.title}
              </To>
              <StateBadge of="task" state={task.status} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function LastRuns({ agent }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const query = useInfiniteQuery(runsQuery(office, { agent: agent.name }, RUNS));
  const runs = query.data?.pages[0]?.items ?? [];
  return (
    <Panel
      title={t('agents.last_runs')}
      action={
        <To to={paths.runs(office, { agent: agent.name })} style={{ fontSize: 13 }}>
          {t('agents.all_runs')}
        </To>
      }
    >
      {query.isPending ? (
        <Loading rows={4} />
      ) : query.error ? (
        <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} compact />
      ) : runs.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('agents.no_runs')}
        </Text>
      ) : (
        <RunRows runs={runs} ofOneAgent />
      )}
    </Panel>
  );
}
