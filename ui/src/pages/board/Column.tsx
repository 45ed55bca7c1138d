/** One column of the board. */
import { Draggable, Droppable } from '@hello-pangea/dnd';
import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunView, TaskStatus, TaskView } from '../../api/types';
import { TaskCard } from '../../parts/TaskCard';
import classes from './Board.module.css';
import { openDependencies } from './cards';

interface Props {
  status: TaskStatus;
  cards: readonly TaskView[];
  tasks: Readonly<Record<string, TaskView>>;
  runs: Readonly<Record<string, RunView>>;
  /** Why the card in hand cannot be dropped here; empty when it can. */
  refuses: string;
  onOpen: (task: string) => void;
  selected: string | undefined;
}

/** More cards than this are shown on demand. */
const SHOWN = 40;

export function Column({ status, cards, tasks, runs, refuses, onOpen, selected }: Props) {
  const { t } = useTranslation();
  const [limit, setLimit] = useState(SHOWN);
  const shown = cards.slice(0, limit);
  return (
    <section
      className={classes.column}
      data-status={status}
      data-empty={cards.length === 0 || undefined}
      data-refuses={refuses !== '' || undefined}
      aria-label={t(`parts.task.${status}`)}
    >
      <h2 className={classes.columnHead}>
        <span className={classes.columnDot} aria-hidden="true" />
        {t(`parts.task.${status}`)}
        <span className={classes.columnCount}>{cards.length}</span>
      </h2>
      <Droppable droppableId={status} isDropDisabled={refuses !== ''}>
        {(drop, { isDraggingOver }) => (
          <div
            ref={drop.innerRef}
            {...drop.droppableProps}
            className={classes.cards}
            data-over={isDraggingOver || undefined}
          >
            {refuses !== '' && <p className={classes.refusal}>{refuses}</p>}
            {shown.map((task, index) => (
              <Draggable key={task.id} draggableId={task.id} index={index}>
                {(drag, { isDragging }) => (
                  // biome-ignore lint/a11y/useSemanticElements: a button inside could not be dragged
                  <div
                    ref={drag.innerRef}
                    {...drag.draggableProps}
                    {...drag.dragHandleProps}
                    className={classes.handle}
                    data-task={task.id}
                    data-selected={task.id === selected || undefined}
                    role="button"
                    tabIndex={0}
                    onClick={() => onOpen(task.id)}
                    onKeyUp={(event) => {
                      if (event.key === 'Enter') onOpen(task.id);
                    }}
                  >
                    <TaskCard
                      task={task}
                      waitsFor={openDependencies(task, tasks).length}
                      isLive={task.run !== '' && runs[task.run] !== undefined}
                      isDragging={isDragging}
                    />
                  </div>
                )}
              </Draggable>
            ))}
            {drop.placeholder}
            {cards.length > limit && (
              <UnstyledButton className={classes.moreCards} onClick={() => setLimit(limit + SHOWN)}>
                {t('board.more_cards', { count: cards.length - limit })}
              </UnstyledButton>
            )}
          </div>
        )}
      </Droppable>
    </section>
  );
}
