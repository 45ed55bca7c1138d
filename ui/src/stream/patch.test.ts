/** What pages have fetched stays true as entries come in. Demanded by: WORK-3, RUN-2. */
import type { InfiniteData } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { MessageView, Page, RunDetail } from '../api/types';
import { ENTRIES } from '../testing/wire';
import { withMessage } from './patch';
import { moveRun } from './runDetail';
import { unreadOf } from './unread';

const message = (n: number): MessageView => ({
  id: `M-${n}`,
  thread: 'H-1',
  n,
  author_kind: 'agent',
  author: 'iris',
  text: `message ${n}`,
  mentions: [],
  files: [],
  run: '',
  at: '2026-03-02T09:00:00Z',
});

const pages = (...ns: number[]): InfiniteData<Page<MessageView>, string | null> => ({
  pages: [{ items: ns.map(message), next: null }],
  pageParams: [null],
});

test('a message comes in once, at its place, however often it is told of', () => {
  const once = withMessage(pages(3, 1), message(2));
  expect(once?.pages[0]?.items.map((one) => one.n)).toEqual([3, 2, 1]);
  expect(withMessage(once, message(2))).toBe(once);
  expect(withMessage(undefined, message(2))).toBeUndefined();
});

test('a fetched run takes up its own turns and calls, and leaves the others', () => {
  const ended = ENTRIES.find((one) => one.entry.kind === 'turn_ended');
  if (ended?.entry.kind !== 'turn_ended') throw new Error('no sample');
  const { run, turn } = ended.entry;
  const fetched: RunDetail = { run: { ...run, turns: 0 }, turns: [], calls: [] };
  const moved = moveRun(fetched, ended);
  expect(moved).toEqual({ run, turns: [turn], calls: [] });
  expect(moveRun(moved, ended)).toEqual(moved);
  const other: RunDetail = { ...fetched, run: { ...run, id: 'R-other' } };
  expect(moveRun(other, ended)).toBe(other);
});

test('unread messages are those after the last one read, and none that were cleared', () => {
  const thread = { id: 'H-1', messages: 7, cleared_before: 0 };
  expect(unreadOf({}, thread, 'ada')).toBe(7);
  expect(unreadOf({ 'ada/H-1': 5, 'ben/H-1': 7 }, thread, 'ada')).toBe(2);
  expect(unreadOf({ 'ada/H-1': 5 }, { ...thread, cleared_before: 8 }, 'ada')).toBe(0);
});
