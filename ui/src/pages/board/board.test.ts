/** The board: moves, order, chains. Demanded by: WORK-1. */
import { expect, test } from 'vitest';
import type { TaskStatus, TaskView } from '../../api/types';
import { chainOf, columnsOf, openDependencies, shownTasks } from './cards';
import { COLUMNS, canMove, isRestart, MOVES } from './moves';

const task = (id: string, more: Partial<TaskView> = {}): TaskView => ({
  id,
  title: `title ${id}`,
  description: '',
  status: 'todo',
  priority: 2,
  assignee: 'iris',
  created_by: 'person:ada',
  parent: '',
  depends_on: [],
  thread: '',
  report_channel: '',
  result: '',
  evidence: [],
  blocked_reason: '',
  attempts: 0,
  comments: 0,
  run: '',
  created_at: `2026-03-02T09:00:0${id.slice(-1)}Z`,
  updated_at: `2026-03-02T09:00:0${id.slice(-1)}Z`,
  started_at: null,
  completed_at: null,
  ...more,
});

const all = (...tasks: TaskView[]) => Object.fromEntries(tasks.map((one) => [one.id, one]));

test('every status has a column and moves of its own', () => {
  expect(Object.keys(MOVES).sort()).toEqual([...COLUMNS].sort());
  expect(canMove('todo', 'in_progress')).toBe(true);
  expect(canMove('done', 'in_progress')).toBe(false);
  expect(isRestart('failed', 'todo')).toBe(true);
  expect(isRestart('blocked', 'todo')).toBe(false);
});

test('open columns show the urgent first, ended ones the latest', () => {
  const tasks = [
    task('T1'),
    task('T2', { priority: 4 }),
    task('T3'),
    task('T4', { status: 'done' }),
  ];
  const columns = columnsOf([...tasks, task('T5', { status: 'done' })], {});
  expect(columns.todo.map((one) => one.id)).toEqual(['T2', 'T1', 'T3']);
  expect(columns.done.map((one) => one.id)).toEqual(['T5', 'T4']);
});

test('a card on its way stands where it goes, until the server has spoken', () => {
  const moving: Record<string, TaskStatus> = { T1: 'in_progress' };
  expect(columnsOf([task('T1')], moving).in_progress).toHaveLength(1);
  expect(columnsOf([task('T1')], {}).todo).toHaveLength(1);
});

test('a chain is a card with its parts, what it waits for, and what waits for it, also in a circle', () => {
  const tasks = all(
    task('T1'),
    task('T2', { parent: 'T1' }),
    task('T3', { depends_on: ['T2'] }),
    task('T4'),
    task('T5', { depends_on: ['T6'] }),
    task('T6', { depends_on: ['T5'] }),
  );
  expect([...chainOf(tasks, 'T2')].sort()).toEqual(['T1', 'T2', 'T3']);
  expect([...chainOf(tasks, 'T5')].sort()).toEqual(['T5', 'T6']);
  expect(shownTasks(tasks, { chain: 'T4' }).map((one) => one.id)).toEqual(['T4']);
});

test('filters look at title, text, id and assignee', () => {
  const tasks = all(task('T1', { description: 'Fix the Login' }), task('T2', { assignee: 'juno' }));
  expect(shownTasks(tasks, { text: 'login' }).map((one) => one.id)).toEqual(['T1']);
  expect(shownTasks(tasks, { assignee: 'juno' }).map((one) => one.id)).toEqual(['T2']);
});

test('a card waits only for what is not done', () => {
  const tasks = all(task('T1', { status: 'done' }), task('T2'));
  const waiting = task('T3', { depends_on: ['T1', 'T2', 'gone'] });
  expect(openDependencies(waiting, tasks).map((one) => one.id)).toEqual(['T2']);
});
