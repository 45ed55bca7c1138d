/** A conversation's rows, mentions and steps. Demanded by: WORK-3, RUN-2, RUN-3. */
import { expect, test } from 'vitest';
import type { MessageView, RunDetail, RunView } from '../../api/types';
import { completeMention, mentionAt } from './mention';
import { conversationSearch } from './search';
import { stepsOf } from './steps';
import { timelineRows } from './timeline';
import { notYetThere } from './waiting';

const at = (minute: number, ms = 0) =>
  new Date(Date.UTC(2026, 2, 2, 9, minute, 0, ms)).toISOString();

const message = (n: number, minute: number, author = 'iris'): MessageView => ({
  id: `M-${n}`,
  thread: 'H-1',
  n,
  author_kind: author === 'ada' ? 'person' : 'agent',
  author,
  text: `message ${n}`,
  mentions: [],
  files: [],
  run: '',
  at: at(minute),
});

const run = (id: string, start: number, end: number | null): RunView => ({
  id,
  agent: 'iris',
  state: end === null ? 'running' : 'completed',
  item: 'I-1',
  dialogue: 'D-1',
  kind: 'message',
  title: 'work',
  thread: 'H-1',
  task: '',
  model: 'rehearsal:x',
  fence: 1,
  turns: 1,
  calls: 0,
  usage: {},
  cost_usd_micros: 0,
  reason_code: '',
  reason: '',
  outcome: '',
  started_at: at(start),
  ended_at: end === null ? null : at(end),
});

const OPTIONS = { zone: 'UTC', readTo: 0, person: 'ada', hasMore: false };
const shape = (rows: ReturnType<typeof timelineRows>) =>
  rows.map((row) =>
    row.kind === 'message' ? `${row.message.n}${row.headed ? '!' : ''}` : row.kind,
  );

test('a request, the work it woke and the answer stand in this order, even within a millisecond', () => {
  const rows = timelineRows([message(2, 0), message(1, 0, 'ada')], [run('R-1', 0, 0)], OPTIONS);
  expect(shape(rows)).toEqual(['day', '1!', 'run', '2!']);
});

test('work under way stands last, whatever was said meanwhile', () => {
  const messages = [message(1, 0, 'ada'), message(2, 3), message(3, 4, 'ada')];
  const rows = timelineRows(messages, [run('R-1', 1, null)], OPTIONS);
  expect(shape(rows)).toEqual(['day', '1!', '2!', '3!', 'run']);
});

test('messages of one author shortly after each other stand under one name', () => {
  const rows = timelineRows([message(1, 0), message(2, 3), message(3, 20)], [], OPTIONS);
  expect(shape(rows)).toEqual(['day', '1!', '2', '3!']);
});

test('what came in since the last visit is marked, but not by what one wrote oneself', () => {
  const messages = [message(1, 0), message(2, 1, 'ada'), message(3, 2)];
  expect(shape(timelineRows(messages, [], { ...OPTIONS, readTo: 1 }))).toEqual([
    'day',
    '1!',
    '2!',
    'new',
    '3!',
  ]);
});

test('much work between two messages takes one line', () => {
  const runs = [1, 2, 3, 4].map((minute) => run(`R-${minute}`, minute, minute));
  const rows = timelineRows([message(1, 0), message(2, 9)], runs, OPTIONS);
  expect(shape(rows)).toEqual(['day', '1!', 'runs', '2!']);
});

test('runs older than the messages that have been fetched wait for theirs', () => {
  const options = { ...OPTIONS, hasMore: true };
  expect(shape(timelineRows([message(9, 5)], [run('R-1', 1, 2)], options))).toEqual(['day', '9!']);
});

test('a mention is found while it is typed, and completed in place', () => {
  expect(mentionAt('hello @ir', 9)).toEqual({ text: 'ir', at: 6 });
  expect(mentionAt('mail a@ir', 9)).toBeNull();
  expect(mentionAt('@', 1)).toEqual({ text: '', at: 0 });
  expect(completeMention('hi @ir there', 6, { text: 'ir', at: 3 }, 'iris')).toEqual({
    text: 'hi @iris there',
    cursor: 9,
  });
});

test('a turn whose words were posted does not say them twice', () => {
  const detail = {
    run: run('R-1', 0, 1),
    turns: [
      { n: 1, text: ' Done. ' },
      { n: 2, text: 'And more' },
    ],
    calls: [{ id: 'C-1', turn: 1 }],
  } as unknown as RunDetail;
  const steps = stepsOf(detail, new Set(['Done.']));
  expect(steps.map((step) => step.text)).toEqual(['', 'And more']);
  expect(steps[0]?.calls).toHaveLength(1);
});

test('an address can ask for a message by its number only', () => {
  expect(conversationSearch({ n: '12' })).toEqual({ n: 12 });
  expect(conversationSearch({ n: 'x' })).toEqual({});
});

test('what I sent shows once, whether the feed or the answer to me is faster', () => {
  const sent = (key: string, text: string, after: number) =>
    ({ key, text, after, mode: 'queue', refused: '' }) as const;
  const there = (n: number, text: string, author = 'owner') =>
    ({ id: `M-${n}`, n, text, author, author_kind: 'person' }) as MessageView;
  const waiting = [sent('a', 'yes', 4), sent('b', 'yes', 4), sent('c', 'no', 4)];
  const keys = (messages: MessageView[]) =>
    notYetThere(waiting, messages, 'owner').map((one) => one.key);
  expect(keys([there(4, 'yes'), there(5, 'no', 'other')])).toEqual(['a', 'b', 'c']);
  expect(keys([there(5, 'yes')])).toEqual(['b', 'c']);
  expect(keys([there(5, 'yes'), there(6, 'yes'), there(7, 'no')])).toEqual([]);
});
