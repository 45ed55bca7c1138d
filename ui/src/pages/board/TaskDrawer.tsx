/** A card opened beside the board: everything about it, and everything that can be done with it. */
import { Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { taskQuery } from '../../api/queries';
import type { TaskStatus, TaskView } from '../../api/types';
import { usePlace } from '../../parts/place';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { useSnapshot } from '../../stream/hooks';

/** With Markdown and forms; the board itself needs neither. */
const TaskDetails = lazy(() => import('./TaskDetails').then((m) => ({ default: m.TaskDetails })));

interface Props {
  /** Undefined when none is open. */
  id: string | undefined;
  onClose: () => void;
  onMove: (task: TaskView, to: TaskStatus) => void;
}

export function TaskDrawer({ id, onClose, onMove }: Props) {
  const { t } = useTranslation();
  const onPhone = useMediaQuery('(max-width: 48em)');
  const { office } = usePlace();
  const live = useSnapshot((s) => (id === undefined ? undefined : s.tasks[id]));
  const query = useQuery({ ...taskQuery(office, id ?? ''), enabled: id !== undefined });
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      position={onPhone ? 'bottom' : 'right'}
      size={onPhone ? '92%' : 560}
      title={live?.id}
      overlayProps={{ backgroundOpacity: onPhone ? 0.3 : 0.08 }}
      closeButtonProps={{ 'aria-label': t('parts.close') }}
    >
      {id !== undefined && live === undefined && (
        <Failure problem={{ status: 404, code: 'not_found', message: t('board.gone'), hint: '' }} />
      )}
      {live !== undefined && query.isPending && <Loading rows={8} />}
      {live !== undefined && query.error && (
        <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />
      )}
      {live !== undefined && query.data && (
        <Suspense fallback={<Loading rows={8} />}>
          <TaskDetails
            key={live.id}
            task={live}
            detail={query.data}
            onMove={onMove}
            onGone={onClose}
          />
        </Suspense>
      )}
    </Drawer>
  );
}
