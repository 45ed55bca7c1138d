/** The feed goes on without gap or double, whatever happens to the connection. Demanded by: PLAT-3, RUN-2. */
import { expect, test } from 'vitest';
import type { Live, Recorded } from '../api/types';
import { before, ENTRIES, LIVE } from '../testing/wire';
import { applyLive, NOTHING_LIVE, OUTPUT_CHARS_MAX, settle } from './live';
import { advance, type OfficeState } from './state';

const START: OfficeState = { snapshot: before(), live: NOTHING_LIVE };
const delta = (more: Partial<Live>): Live =>
  ({ kind: 'run_delta', run: 'R-1', agent: 'iris', turn: 1, ...more }) as Live;

test('a missing entry is noticed, a repeated one is passed over', () => {
  const next = { ...(ENTRIES[0] as Recorded), seq: START.snapshot.seq + 1 };
  expect(advance(START, { kind: 'entry', recorded: { ...next, seq: next.seq + 1 } })).toBe('gap');
  expect(advance(START, { kind: 'entry', recorded: { ...next, seq: next.seq - 1 } })).toBe(START);
  expect(advance(null, { kind: 'entry', recorded: next })).toBeNull();
});

test('a new snapshot starts over, without anything half written', () => {
  const writing = applyLive(NOTHING_LIVE, delta({ text: 'half a sen' }));
  const state = advance({ ...START, live: writing }, { kind: 'snapshot', snapshot: before() });
  expect(state).toEqual({ snapshot: before(), live: NOTHING_LIVE });
});

test('text grows delta by delta; a new turn begins empty; an old turn is not heard any more', () => {
  const deltas = [
    delta({ reasoning: 'Hm. ' }),
    delta({ text: 'Good ' }),
    delta({ text: 'morning' }),
    delta({ tool: 'bash' }),
  ];
  const first = deltas.reduce(applyLive, NOTHING_LIVE);
  expect(first.runs['R-1']).toEqual({
    run: 'R-1',
    agent: 'iris',
    turn: 1,
    text: 'Good morning',
    reasoning: 'Hm. ',
    tools: ['bash'],
  });
  const second = applyLive(first, delta({ turn: 2, text: 'Next' }));
  expect(second.runs['R-1']?.text).toBe('Next');
  expect(applyLive(second, delta({ turn: 1, text: 'late' }))).toBe(second);
});

test('a whole text replaces what was heard so far, so that nothing stands twice after a reconnect', () => {
  const heard = applyLive(NOTHING_LIVE, delta({ text: 'Good mor' }));
  const again = applyLive(heard, delta({ text: 'Good morning', whole: true }));
  expect(again.runs['R-1']?.text).toBe('Good morning');
});

test('live text goes when its turn has ended in the ledger, and not before', () => {
  const ended = ENTRIES.find((one) => one.entry.kind === 'turn_ended') as Recorded;
  if (ended.entry.kind !== 'turn_ended') throw new Error('no sample');
  const { run, n } = ended.entry.turn;
  const now = applyLive(NOTHING_LIVE, delta({ run, turn: n, text: 'x' }));
  expect(settle(now, ended.entry).runs).toEqual({});
  const later = applyLive(NOTHING_LIVE, delta({ run, turn: n + 1, text: 'x' }));
  expect(settle(later, ended.entry)).toBe(later);
});

test('output of a running call keeps its end when it grows without bound', () => {
  const output: Live = { kind: 'call_output', call: 'C-1', run: 'R-1', agent: 'iris', text: 'ab' };
  const long = { ...output, text: 'x'.repeat(OUTPUT_CHARS_MAX) };
  const state = [long, { ...output, text: 'the end' }].reduce<typeof NOTHING_LIVE>(
    applyLive,
    NOTHING_LIVE,
  );
  expect(state.calls['C-1']).toHaveLength(OUTPUT_CHARS_MAX);
  expect(state.calls['C-1']?.endsWith('the end')).toBe(true);
});

test('the samples of live frames are understood', () => {
  expect(LIVE.length).toBeGreaterThan(1);
  const state = LIVE.reduce(applyLive, NOTHING_LIVE);
  expect(Object.keys(state.runs).length + Object.keys(state.calls).length).toBe(LIVE.length);
});
