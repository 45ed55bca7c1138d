/** The feed says something of every entry, and keeps a run's steps together. Demanded by: PLAT-3, RUN-2. */
import { expect, test } from 'vitest';
import type { EntryKind, Recorded } from '../../api/types';
import { words } from '../../shell/i18n/en';
import { ENTRIES } from '../../testing/wire';
import { describe, KIND_GROUPS } from './describe';
import { feedRows } from './rows';

const sayings = (words as { feed: { entry: Record<string, string> } }).feed.entry;

test('every kind of entry has words, an actor and a chip to filter by', () => {
  const grouped = Object.values(KIND_GROUPS).flat() as EntryKind[];
  for (const recorded of ENTRIES) {
    const said = describe('acme', recorded);
    expect(sayings[said.key], `${recorded.entry.kind}: feed.entry.${said.key}`).toBeTypeOf(
      'string',
    );
    expect(said.actor).toMatch(/^(agent:|person:|office)/);
    expect(grouped).toContain(recorded.entry.kind);
  }
});

test('a kind of a newer server is named, not hidden', () => {
  const strange = { ...ENTRIES[0], entry: { kind: 'moon_rose' } } as unknown as Recorded;
  expect(describe('acme', strange)).toMatchObject({
    key: 'unknown',
    values: { kind: 'moon_rose' },
  });
});

const call = ENTRIES.find((one) => one.entry.kind === 'call_changed') as Recorded;
const ended = ENTRIES.find((one) => one.entry.kind === 'turn_ended') as Recorded;

test('of a call only its latest state shows, within its run', () => {
  const entries = [
    { ...call, seq: 9 },
    { ...ended, seq: 8 },
    { ...call, seq: 7 },
  ];
  const rows = feedRows(entries, { grouped: true, zone: 'UTC' });
  const groups = rows.filter((row) => row.kind === 'run');
  expect(groups.flatMap((row) => row.entries.map((one) => one.seq))).toEqual([9, 8]);
  const flat = feedRows(entries, { grouped: false, zone: 'UTC' });
  expect(flat.filter((row) => row.kind === 'entry')).toHaveLength(2);
});

test('a day has a head of its own', () => {
  const yesterday = { ...ended, seq: 3, at: '2026-03-01T09:00:00Z' };
  const rows = feedRows([{ ...ended, seq: 4, at: '2026-03-02T09:00:00Z' }, yesterday], {
    grouped: false,
    zone: 'UTC',
  });
  expect(rows.map((row) => row.kind)).toEqual(['day', 'entry', 'day', 'entry']);
});
