/** Which column a card may go to. The same table stands in `dayshift.core.states`; the server has the last word. */
import type { TaskStatus } from '../../api/types';

export const COLUMNS: readonly TaskStatus[] = [
  'waiting',
  'todo',
  'in_progress',
  'blocked',
  'done',
  'failed',
];

export const MOVES: Record<TaskStatus, readonly TaskStatus[]> = {
  waiting: ['todo', 'blocked', 'failed'],
  todo: ['waiting', 'in_progress', 'blocked', 'done', 'failed'],
  in_progress: ['todo', 'done', 'failed', 'blocked'],
  blocked: ['todo', 'waiting', 'failed'],
  done: ['todo'],
  failed: ['todo'],
};

export const canMove = (from: TaskStatus, to: TaskStatus): boolean => MOVES[from].includes(to);

/** Done and failed cards go back by a restart, which keeps their history apart. */
export const isRestart = (from: TaskStatus, to: TaskStatus): boolean =>
  to === 'todo' && (from === 'done' || from === 'failed');

/** Moves that a person must explain. */
export const needsWords = (to: TaskStatus): boolean =>
  to === 'blocked' || to === 'failed' || to === 'done';
