/** What a card waits for, what waits for it, what it is part of, and its parts. */
import { Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { TaskView } from '../../api/types';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { StateBadge } from '../../parts/StateBadge';
import { To } from '../../parts/To';
import { useSnapshot } from '../../stream/hooks';
import classes from './Board.module.css';

interface Props {
  task: TaskView;
  /** Ids of cards that wait for this one. */
  dependents: readonly string[];
}

export function Relations({ task, dependents }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const tasks = useSnapshot((s) => s.tasks);
  const groups: [string, readonly string[]][] = [
    [t('board.part_of'), task.parent === '' ? [] : [task.parent]],
    [t('board.waits_for'), task.depends_on],
    [t('board.waited_for_by'), dependents],
    [
      t('board.parts'),
      Object.values(tasks)
        .filter((other) => other.parent === task.id)
        .map((other) => other.id),
    ],
  ];
  return groups
    .filter(([, ids]) => ids.length > 0)
    .map(([title, ids]) => (
      <section key={title} className={classes.section}>
        <Title order={3} mb={6}>
          {title}
        </Title>
        <ul className={classes.list}>
          {ids.map((id) => {
            const other = tasks[id];
            return (
              <li key={id} className={classes.taskLine}>
                {other ? (
                  <>
                    <To to={paths.board(office, id)}>{other.title}</To>
                    <StateBadge of="task" state={other.status} />
                  </>
                ) : (
                  t('board.deleted', { id })
                )}
              </li>
            );
          })}
        </ul>
      </section>
    ));
}
