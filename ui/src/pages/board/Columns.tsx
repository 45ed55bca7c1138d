/** The columns, and dragging between them by mouse, touch and keyboard. */
import { type Announce, DragDropContext, type DragStart, type DropResult } from '@hello-pangea/dnd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunView, TaskStatus, TaskView } from '../../api/types';
import { Column } from './Column';
import { COLUMNS, canMove } from './moves';

interface Props {
  columns: Record<TaskStatus, TaskView[]>;
  tasks: Readonly<Record<string, TaskView>>;
  runs: Readonly<Record<string, RunView>>;
  onMove: (task: TaskView, to: TaskStatus) => void;
  onOpen: (task: string) => void;
  /** The card that is open beside the board. */
  selected: string | undefined;
}

export function Columns({ columns, tasks, runs, onMove, onOpen, selected }: Props) {
  const { t } = useTranslation();
  const [dragged, setDragged] = useState<TaskView>();
  const word = (status: string | undefined) => t(`parts.task.${status ?? 'todo'}`);

  const start = ({ draggableId, source }: DragStart, { announce }: { announce: Announce }) => {
    const task = tasks[draggableId];
    setDragged(task);
    announce(t('board.said.lifted', { title: task?.title, column: word(source.droppableId) }));
  };
  const end = (
    { draggableId, source, destination }: DropResult,
    { announce }: { announce: Announce },
  ) => {
    setDragged(undefined);
    const task = tasks[draggableId];
    const to = destination?.droppableId as TaskStatus | undefined;
    if (task === undefined || to === undefined || to === source.droppableId) {
      announce(t('board.said.back', { title: task?.title }));
      return;
    }
    announce(t('board.said.dropped', { title: task.title, column: word(to) }));
    onMove(task, to);
  };
  return (
    <DragDropContext
      dragHandleUsageInstructions={t('board.said.how')}
      onDragStart={start}
      onDragUpdate={({ destination }, { announce }) =>
        announce(
          destination
            ? t('board.said.over', { column: word(destination.droppableId) })
            : t('board.said.nowhere'),
        )
      }
      onDragEnd={end}
    >
      {COLUMNS.map((status) => (
        <Column
          key={status}
          status={status}
          cards={columns[status]}
          tasks={tasks}
          runs={runs}
          refuses={
            dragged !== undefined && dragged.status !== status && !canMove(dragged.status, status)
              ? t('board.refuses', { from: word(dragged.status), to: word(status) })
              : ''
          }
          onOpen={onOpen}
          selected={selected}
        />
      ))}
    </DragDropContext>
  );
}
