/** Runs as lines: who, what, how it stands, how long, how much. */
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { RunView } from '../api/types';
import { Face } from './Face';
import { Money } from './Money';
import { paths } from './paths';
import { usePlace } from './place';
import classes from './RunRows.module.css';
import { StateBadge } from './StateBadge';
import { TimeText } from './TimeText';
import { To } from './To';
import { Tokens } from './Tokens';
import { gist } from './text/gist';
import { duration } from './text/time';
import { useTick } from './useTick';

interface Props {
  runs: readonly RunView[];
  /** Leaves the agent out, where all are of one. */
  ofOneAgent?: boolean;
}

export function RunRows({ runs, ofOneAgent = false }: Props) {
  return (
    <ul className={classes.list}>
      {runs.map((run) => (
        <RunRow key={run.id} run={run} ofOneAgent={ofOneAgent} />
      ))}
    </ul>
  );
}

function RunRow({ run, ofOneAgent }: { run: RunView; ofOneAgent: boolean }) {
  const { t } = useTranslation();
  const { office } = usePlace();
  return (
    <li className={classes.row}>
      {!ofOneAgent && <Face name={run.agent} size={30} />}
      <div className={classes.what}>
        <div className={classes.title}>
          <To to={paths.run(office, run.id)} className={classes.link}>
            {run.title || run.id}
          </To>
        </div>
        <Text size="xs" c="dimmed" truncate>
          {[run.id, ofOneAgent ? '' : run.agent, gist(run.outcome || run.reason)]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </div>
      <div className={classes.size}>
        <span>
          {t('parts.turns', { count: run.turns })} · {t('parts.calls', { count: run.calls })}
        </span>
        <span>
          <Tokens usage={run.usage} /> · <Money micros={run.cost_usd_micros} />
        </span>
      </div>
      <div className={classes.when}>
        <span>
          <TimeText at={run.started_at} />
        </span>
        <RunLength run={run} />
      </div>
      <div className={classes.state}>
        <StateBadge of="run" state={run.state} />
      </div>
    </li>
  );
}

function RunLength({ run }: { run: RunView }) {
  if (run.ended_at === null) return <Running since={run.started_at} />;
  return (
    <span>{duration(Math.max(0, Date.parse(run.ended_at) - Date.parse(run.started_at)))}</span>
  );
}

function Running({ since }: { since: string }) {
  const { now } = usePlace();
  useTick(1000);
  return <span>{duration(Math.max(0, now() - Date.parse(since)))}</span>;
}
