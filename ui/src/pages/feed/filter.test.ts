/** The feed's filter says of what comes in what the ledger says of what is in it. Demanded by: PLAT-3. */
import { expect, test } from 'vitest';
import type { EntryKind, Recorded } from '../../api/types';
import { ENTRIES } from '../../testing/wire';
import { isLoud, isShown } from './filter';

function sample<K extends EntryKind>(kind: K): Recorded & { entry: { kind: K } } {
  const found = ENTRIES.find((one) => one.entry.kind === kind);
  if (found === undefined) throw new Error(`no sample of ${kind}`);
  return found as Recorded & { entry: { kind: K } };
}

test('words of a person to an agent concern the agent', () => {
  const { entry, ...rest } = sample('message_posted');
  const said: Recorded = {
    ...rest,
    entry: {
      ...entry,
      message: { ...entry.message, author_kind: 'person', author: 'ada', text: 'Say "ahoy".' },
      thread: { ...entry.thread, kind: 'dm', name: 'iris', person: 'ada' },
    },
  };
  expect(isShown(said, { agent: 'iris' })).toBe(true);
  expect(isShown(said, { agent: 'juno' })).toBe(false);
  expect(isShown(said, { text: '"AHOY"' })).toBe(true);
});

test('an alert is found by its agent, its run and its task', () => {
  const alert = sample('alert_changed');
  const { agent, run, task } = alert.entry.alert;
  expect(isShown(alert, { agent, run, task, kinds: ['office'] })).toBe(true);
  expect(isShown(alert, { agent, run, task: 'T-0' })).toBe(false);
  expect(isShown(alert, { agent, run, task, kinds: ['tools'] })).toBe(false);
});

test('what repeats others shows when all is asked for, or its kind', () => {
  const item = sample('item_changed');
  expect(isLoud(item, {})).toBe(false);
  expect(isLoud(item, { all: true })).toBe(true);
  expect(isLoud(item, { kinds: ['inbox'] })).toBe(true);
});
