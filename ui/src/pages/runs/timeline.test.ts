/** A run's time as bars: turns, calls side by side, and the waits between. */
import { describe, expect, it } from 'vitest';
import type { CallView, RunDetail, TurnView } from '../../api/types';
import { curlCommand } from './replay';
import { covered, ticksOf, timelineOf } from './timeline';

const START = Date.parse('2026-11-30T09:00:00Z');
const at = (ms: number) => new Date(START + ms).toISOString();

const turn = (n: number, end: number, long: number): TurnView =>
  ({ n, state: 'completed', at: at(end), duration_ms: long }) as TurnView;
const call = (id: string, from: number | null, to: number | null): CallView =>
  ({
    id,
    name: 'bash',
    turn: 1,
    index: 0,
    state: 'succeeded',
    started_at: from === null ? null : at(from),
    ended_at: to === null ? null : at(to),
  }) as CallView;
const detail = (turns: TurnView[], calls: CallView[], end: number | null): RunDetail =>
  ({
    run: { started_at: at(0), ended_at: end === null ? null : at(end) },
    turns,
    calls,
  }) as RunDetail;

describe('timelineOf', () => {
  it('adds up to the whole when nothing overlaps', () => {
    const line = timelineOf(
      detail([turn(1, 1000, 1000), turn(2, 4000, 500)], [call('a', 1000, 2000)], 4000),
      0,
    );
    expect(line).toMatchObject({ total: 4000, asking: 1500, calling: 1000, waiting: 1500 });
  });

  it('puts calls that overlap below each other, and counts their time once', () => {
    const line = timelineOf(
      detail([], [call('a', 0, 1000), call('b', 200, 900), call('c', 1000, 1200)], 1200),
      0,
    );
    const rows = Object.fromEntries(line.bars.map((bar) => [bar.key, bar.row]));
    expect(rows).toMatchObject({ a: 0, b: 1, c: 0 });
    expect(line.calling).toBe(1200);
  });

  it('lets what still runs reach until now, and leaves out what has not begun', () => {
    const line = timelineOf(
      detail([], [call('a', 500, null), call('b', null, null)], null),
      START + 3000,
    );
    const bars = line.bars.filter((bar) => bar.kind === 'call');
    expect(bars).toHaveLength(1);
    expect(bars[0]).toMatchObject({ from: 500, to: 3000 });
  });

  it('keeps bars inside the run even when durations do not fit', () => {
    const line = timelineOf(detail([turn(1, 100, 90_000), turn(2, 300, 90_000)], [], 400), 0);
    const turns = line.bars.filter((bar) => bar.kind === 'turn');
    expect(turns.map((bar) => [bar.from, bar.to])).toEqual([
      [0, 100],
      [100, 300],
    ]);
  });

  it('never divides by nothing', () => {
    expect(timelineOf(detail([], [], 0), 0).total).toBe(1);
  });
});

it('merges spans that touch', () => {
  const spans = [
    { from: 5, to: 9 },
    { from: 0, to: 2 },
    { from: 2, to: 3 },
  ];
  expect(covered(spans)).toEqual([
    [0, 3],
    [5, 9],
  ]);
});

it('writes few and round moments on the axis', () => {
  for (const total of [1, 900, 4_100, 61_000, 3_600_000, 90_000_000]) {
    const ticks = ticksOf(total);
    expect(ticks.length).toBeLessThanOrEqual(13);
    expect(ticks.every((tick) => tick <= total)).toBe(true);
  }
});

describe('curlCommand', () => {
  const provider = { dialect: 'openai', base_url: 'https://x.test/v1/', key_env: 'X_API_KEY' };

  it('names the variable, never a key, and survives quotes in the body', () => {
    const command = curlCommand(provider, '{"text":"it\'s"}');
    expect(command).toContain("'https://x.test/v1/chat/completions'");
    expect(command).toContain('Bearer $X_API_KEY');
    expect(command).toContain("it'\\''s");
  });

  it('is not there for what is not asked over HTTP', () => {
    expect(curlCommand({ ...provider, dialect: 'rehearsal', base_url: '' }, '{}')).toBeNull();
    expect(curlCommand(undefined, '{}')).toBeNull();
  });
});
