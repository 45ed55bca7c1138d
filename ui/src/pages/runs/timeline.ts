/** A run as a picture of time: bars of turns and calls, and the waits between them. Pure. */
import type { CallState, RunDetail, TurnState } from '../../api/types';

export interface Bar {
  key: string;
  kind: 'turn' | 'call' | 'wait';
  /** Milliseconds since the run began. */
  from: number;
  to: number;
  /** Row of parallel calls, from 0; turns and waits are in row 0 of their own lane. */
  row: number;
  turn: number;
  name: string;
  state: TurnState | CallState | 'wait';
}

export interface Timeline {
  bars: Bar[];
  /** Length in milliseconds; at least 1. */
  total: number;
  /** Rows of calls. */
  rows: number;
  asking: number;
  calling: number;
  waiting: number;
}

/** Waits shorter than this are not drawn. */
const WAIT_MS_MIN = 40;

/** `now` in office milliseconds is the end of what still runs. */
export function timelineOf(detail: RunDetail, now: number): Timeline {
  const start = Date.parse(detail.run.started_at);
  const end = detail.run.ended_at === null ? now : Date.parse(detail.run.ended_at);
  const total = Math.max(1, end - start);
  const clamp = (ms: number) => Math.min(total, Math.max(0, ms - start));
  const turns = turnBars(detail, clamp, total);
  const calls = callBars(detail, clamp, total);
  const waits = gaps([...turns, ...calls], total);
  const length = (bars: readonly Bar[]) => covered(bars).reduce((sum, [a, b]) => sum + b - a, 0);
  return {
    bars: [...turns, ...calls, ...waits],
    total,
    rows: calls.reduce((most, bar) => Math.max(most, bar.row + 1), 0),
    asking: length(turns),
    calling: length(calls),
    waiting: length(waits),
  };
}

type Clamp = (ms: number) => number;

/** A turn is written down when it ends; it began its duration earlier, but never before the turn in front of it ended. */
function turnBars({ turns }: RunDetail, clamp: Clamp, _total: number): Bar[] {
  let free = 0;
  return turns.map((turn) => {
    const to = clamp(Date.parse(turn.at));
    const from = Math.min(to, Math.max(free, clamp(Date.parse(turn.at) - turn.duration_ms)));
    free = to;
    return {
      key: `turn-${turn.n}`,
      kind: 'turn',
      from,
      to,
      row: 0,
      turn: turn.n,
      name: String(turn.n),
      state: turn.state,
    };
  });
}

/** Calls that overlap stand below each other. */
function callBars({ calls }: RunDetail, clamp: Clamp, total: number): Bar[] {
  const busyUntil: number[] = [];
  const begun = calls.flatMap((call) =>
    call.started_at === null ? [] : [{ call, from: clamp(Date.parse(call.started_at)) }],
  );
  begun.sort((a, b) => a.from - b.from || a.call.index - b.call.index);
  return begun.map(({ call, from }) => {
    const to = call.ended_at === null ? total : Math.max(from, clamp(Date.parse(call.ended_at)));
    const free = busyUntil.findIndex((until) => until <= from);
    const row = free < 0 ? busyUntil.length : free;
    busyUntil[row] = Math.max(to, from + 1);
    return {
      key: call.id,
      kind: 'call',
      from,
      to,
      row,
      turn: call.turn,
      name: call.name,
      state: call.state,
    };
  });
}

/** What bars cover together, as spans that do not overlap, in order. */
export function covered(bars: readonly Pick<Bar, 'from' | 'to'>[]): [number, number][] {
  const spans: [number, number][] = [];
  for (const { from, to } of [...bars].sort((a, b) => a.from - b.from)) {
    const last = spans.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else spans.push([from, to]);
  }
  return spans;
}

function gaps(bars: readonly Bar[], total: number): Bar[] {
  const found: Bar[] = [];
  let free = 0;
  for (const [from, to] of [...covered(bars), [total, total] as const]) {
    if (from - free >= WAIT_MS_MIN) {
      found.push({
        key: `wait-${free}`,
        kind: 'wait',
        from: free,
        to: from,
        row: 0,
        turn: 0,
        name: '',
        state: 'wait',
      });
    }
    free = Math.max(free, to);
  }
  return found;
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200];

/** About six moments to write on the axis, in milliseconds. */
export function ticksOf(total: number): number[] {
  const small = total < 6_000 ? [0.05, 0.1, 0.2, 0.5] : [];
  const wished = total / 1000 / 6;
  const step = ([...small, ...STEPS].find((one) => one >= wished) ?? 86_400) * 1000;
  const count = Math.min(12, Math.floor(total / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
