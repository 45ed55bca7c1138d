/** The cards of the board: filtered, in columns, in order. Pure. */
import type { TaskStatus, TaskView } from '../../api/types';
import { COLUMNS } from './moves';
import type { BoardSearch } from './search';

/** A card and everything it is made of or waits for, and what waits for it. */
export function chainOf(tasks: Readonly<Record<string, TaskView>>, start: string): Set<string> {
  const all = Object.values(tasks);
  const chain = new Set<string>();
  const queue = [start];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const task = tasks[id];
    if (task === undefined || chain.has(id)) continue;
    chain.add(id);
    queue.push(
      ...task.depends_on,
      ...all
        .filter((other) => other.parent === id || other.depends_on.includes(task.id))
        .map((other) => other.id),
      ...(task.parent === '' ? [] : [task.parent]),
    );
  }
  return chain;
}

export function shownTasks(
  tasks: Readonly<Record<string, TaskView>>,
  search: BoardSearch,
): TaskView[] {
  const chain = search.chain === undefined ? null : chainOf(tasks, search.chain);
  const words = (search.text ?? '').toLowerCase();
  return Object.values(tasks).filter(
    (task) =>
      (chain === null || chain.has(task.id)) &&
      (search.assignee === undefined || task.assignee === search.assignee) &&
      `${task.title} ${task.description} ${task.id}`.toLowerCase().includes(words),
  );
}

const ENDED: ReadonlySet<TaskStatus> = new Set(['done', 'failed']);

/** Open columns: the most urgent first, then the oldest. Ended ones: the latest first. */
function inOrder(status: TaskStatus) {
  return (a: TaskView, b: TaskView): number =>
    ENDED.has(status)
      ? b.updated_at.localeCompare(a.updated_at)
      : b.priority - a.priority || a.created_at.localeCompare(b.created_at);
}

/** `moving` are cards whose move the server has not confirmed yet. */
export function columnsOf(
  tasks: readonly TaskView[],
  moving: Readonly<Record<string, TaskStatus>>,
): Record<TaskStatus, TaskView[]> {
  const columns = Object.fromEntries(COLUMNS.map((status) => [status, [] as TaskView[]])) as Record<
    TaskStatus,
    TaskView[]
  >;
  for (const task of tasks) columns[moving[task.id] ?? task.status].push(task);
  for (const status of COLUMNS) columns[status].sort(inOrder(status));
  return columns;
}

/** Dependencies that are not done yet. */
export const openDependencies = (
  task: TaskView,
  tasks: Readonly<Record<string, TaskView>>,
): TaskView[] =>
  task.depends_on
    .map((id) => tasks[id])
    .filter((other): other is TaskView => other !== undefined && other.status !== 'done');
