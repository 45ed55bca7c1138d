/** What came out of the work lately. */
import { Text } from '@mantine/core';
import { FileText } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Face } from '../../parts/Face';
import { Panel } from '../../parts/Panel';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { TimeText } from '../../parts/TimeText';
import { To } from '../../parts/To';
import { useSnapshot } from '../../stream/hooks';
import classes from './Home.module.css';

const SHOWN = 6;

export function LastResults() {
  const { t } = useTranslation();
  const { office } = usePlace();
  const tasks = useSnapshot((s) => s.tasks);
  const done = useMemo(
    () =>
      Object.values(tasks)
        .filter((task) => task.status === 'done')
        .sort((a, b) => (b.completed_at ?? '').localeCompare(a.completed_at ?? ''))
        .slice(0, SHOWN),
    [tasks],
  );
  return (
    <Panel
      title={t('home.results')}
      action={
        <To to={paths.board(office)} style={{ fontSize: 13 }}>
          {t('home.see_board')}
        </To>
      }
    >
      {done.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('home.results_none')}
        </Text>
      ) : (
        <ul className={classes.list}>
          {done.map((task) => (
            <li key={task.id} className={classes.row}>
              <Face name={task.assignee || '?'} size={28} />
              <div className={classes.grow}>
                <To to={paths.board(office, task.id)} className={classes.title}>
                  {task.title}
                </To>
                <div className={classes.files}>
                  {task.evidence
                    .filter((one) => one.kind === 'file')
                    .map((one) => (
                      <To
                        key={`${one.agent}:${one.path}`}
                        to={paths.files(office, one.agent || task.assignee, one.path)}
                      >
                        <FileText size={13} style={{ verticalAlign: -2 }} aria-hidden="true" />{' '}
                        {one.path}
                      </To>
                    ))}
                  {task.evidence.length === 0 && (
                    <Text span size="sm" c="dimmed" lineClamp={1}>
                      {task.result}
                    </Text>
                  )}
                </div>
              </div>
              <Text size="xs" c="dimmed">
                {task.completed_at && <TimeText at={task.completed_at} />}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
