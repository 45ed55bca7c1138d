/** Moves cards: at once on the screen, back with the reason when the server refuses. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { moveTask, restartTask } from '../../api/actions';
import type { TaskStatus, TaskView } from '../../api/types';
import { closeDialog, openDialog } from '../../parts/dialogs';
import { notifyProblem } from '../../parts/notify';
import { usePlace } from '../../parts/place';
import { MoveForm, type MoveWords } from './MoveForm';
import { isRestart, needsWords } from './moves';

export interface Mover {
  /** Cards on their way, with where to. */
  moving: Readonly<Record<string, TaskStatus>>;
  move: (task: TaskView, to: TaskStatus) => void;
}

export function useMove(): Mover {
  const { t } = useTranslation();
  const { office } = usePlace();
  const [moving, setMoving] = useState<Readonly<Record<string, TaskStatus>>>({});

  const settle = (id: string) => setMoving(({ [id]: _done, ...rest }) => rest);
  const carryOut = async (task: TaskView, to: TaskStatus, words: MoveWords) => {
    setMoving((all) => ({ ...all, [task.id]: to }));
    try {
      if (isRestart(task.status, to)) await restartTask(office, task.id);
      else await moveTask(office, task.id, { status: to, ...words });
    } catch (error) {
      notifyProblem(error);
    } finally {
      settle(task.id);
    }
  };
  const move = (task: TaskView, to: TaskStatus) => {
    if (!needsWords(to)) {
      void carryOut(task, to, {});
      return;
    }
    openDialog({
      modalId: 'move',
      title: t(`board.move_title.${to}`, { title: task.title }),
      children: (
        <MoveForm
          to={to}
          onSubmit={(words) => {
            closeDialog('move');
            void carryOut(task, to, words);
          }}
        />
      ),
    });
  };
  return { moving, move };
}
