/** `apply` is pure and equals the server's own reading of the same entries. Demanded by: PLAT-3; invariant 11. */
import { expect, test } from 'vitest';
import type { Recorded } from '../api/types';
import { after, before, ENTRIES } from '../testing/wire';
import { apply } from './apply';
import { staleKeys } from './patch';

test('a snapshot moved on by every kind of entry is the snapshot the server has afterwards', () => {
  expect(ENTRIES.length).toBeGreaterThan(15);
  expect(ENTRIES.reduce(apply, before())).toEqual(after());
});

test('an entry already applied changes nothing, not even identity', () => {
  const now = ENTRIES.reduce(apply, before());
  for (const entry of ENTRIES) expect(apply(now, entry)).toBe(now);
});

test('the old snapshot is left as it was, and untouched parts keep their identity', () => {
  const old = before();
  const message = ENTRIES.find((one) => one.entry.kind === 'message_posted') as Recorded;
  const now = apply(old, message);
  expect(old).toEqual(before());
  expect(now.agents).toBe(old.agents);
  expect(now.threads).not.toBe(old.threads);
});

test('a kind this build does not know moves the cursor and nothing else', () => {
  const old = before();
  const strange = {
    seq: old.seq + 1,
    at: '2026-03-02T09:00:00Z',
    actor: 'office',
    entry: { kind: 'moon_rose' },
  } as unknown as Recorded;
  expect(apply(old, strange)).toEqual({ ...old, seq: old.seq + 1 });
  expect(staleKeys(strange)).toEqual([]);
});
