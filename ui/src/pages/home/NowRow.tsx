/** One agent at work: the job, the step it is at, and since when. */
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { RunView } from '../../api/types';
import { Face } from '../../parts/Face';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { To } from '../../parts/To';
import { duration } from '../../parts/text/time';
import { useTick } from '../../parts/useTick';
import { doingOf } from '../../stream/doing';
import { useLiveRun, useSnapshot } from '../../stream/hooks';
import classes from './Home.module.css';

/** Characters of the text being written that are shown. */
const SNIPPET = 90;

interface Props {
  run: RunView;
}

export function NowRow({ run }: Props) {
  const { t } = useTranslation();
  const { office, now } = usePlace();
  useTick(1000);
  const live = useLiveRun(run.id);
  const calls = useSnapshot((s) => s.calls);
  const doing = doingOf(run.id, calls, live);
  const words = doing.what === 'writing' ? live?.text : live?.reasoning;
  const snippet = (words ?? '').replace(/\s+/g, ' ').slice(-SNIPPET);
  return (
    <li className={classes.row}>
      <Face name={run.agent} size={32} presence="busy" />
      <div className={classes.grow}>
        <Text size="sm" truncate>
          <To to={paths.dm(office, run.agent)} className={classes.title}>
            {run.agent}
          </To>{' '}
          <To
            to={run.task ? paths.board(office, run.task) : paths.run(office, run.id)}
            style={{ color: 'inherit' }}
          >
            {run.title}
          </To>
        </Text>
        <div className={classes.doing}>
          <span style={{ whiteSpace: 'nowrap' }}>
            {doing.what === 'tool'
              ? t('home.doing.tool', { tool: doing.tool })
              : t(`home.doing.${doing.what}`)}
          </span>
          {doing.what !== 'tool' && snippet !== '' && (
            <span className={classes.snippet}>…{snippet}</span>
          )}
        </div>
      </div>
      <Text size="xs" c="dimmed" className="tabular">
        {duration(Math.max(0, now() - Date.parse(run.started_at)))}
      </Text>
    </li>
  );
}
