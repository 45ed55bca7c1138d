/** The runs that worked on a card: its attempts. */
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { RunView } from '../../api/types';
import { Face } from '../../parts/Face';
import { Money } from '../../parts/Money';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { StateBadge } from '../../parts/StateBadge';
import { TimeText } from '../../parts/TimeText';
import { To } from '../../parts/To';
import classes from './Board.module.css';

interface Props {
  runs: readonly RunView[];
}

export function TaskRuns({ runs }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  if (runs.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('board.no_runs')}
      </Text>
    );
  }
  return (
    <ul className={classes.list}>
      {runs.map((run) => (
        <li key={run.id} className={classes.taskLine}>
          <Face name={run.agent} size={24} />
          <To to={paths.run(office, run.id)} style={{ flex: 1 }}>
            {run.outcome || run.title}
          </To>
          <Text size="xs" c="dimmed">
            <Money micros={run.cost_usd_micros} /> · <TimeText at={run.started_at} />
          </Text>
          <StateBadge of="run" state={run.state} />
        </li>
      ))}
    </ul>
  );
}
