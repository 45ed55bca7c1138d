/** Text that is being written right now: never in the ledger, gone once its turn or call has ended there. */
import type { Entry, Live } from '../api/types';
import { isCallOver, isRunOver } from './apply';

export interface LiveRun {
  run: string;
  agent: string;
  turn: number;
  text: string;
  reasoning: string;
  /** Names of the tools the model has begun to call in this turn. */
  tools: readonly string[];
}

export interface LiveState {
  /** By run. */
  runs: Readonly<Record<string, LiveRun>>;
  /** Output so far, by call. */
  calls: Readonly<Record<string, string>>;
}

export const NOTHING_LIVE: LiveState = { runs: {}, calls: {} };

/** Characters of a running command's output that are kept; the head is cut, the whole comes with the result. */
export const OUTPUT_CHARS_MAX = 200_000;

function grown(old: string, more: string): string {
  const text = old + more;
  return text.length > OUTPUT_CHARS_MAX ? text.slice(-OUTPUT_CHARS_MAX) : text;
}

export function applyLive(state: LiveState, live: Live): LiveState {
  if (live.kind === 'call_output') {
    const before = live.whole ? '' : (state.calls[live.call] ?? '');
    return { ...state, calls: { ...state.calls, [live.call]: grown(before, live.text) } };
  }
  const known = state.runs[live.run];
  if (known !== undefined && known.turn > live.turn) return state;
  const fresh = known === undefined || known.turn !== live.turn || live.whole === true;
  const before = fresh ? { text: '', reasoning: '', tools: [] } : known;
  const next: LiveRun = {
    run: live.run,
    agent: live.agent,
    turn: live.turn,
    text: before.text + (live.text ?? ''),
    reasoning: before.reasoning + (live.reasoning ?? ''),
    tools: live.tool ? [...before.tools, live.tool] : before.tools,
  };
  return { ...state, runs: { ...state.runs, [live.run]: next } };
}

/** Drops what an entry has made final. */
export function settle(state: LiveState, entry: Entry): LiveState {
  if (entry.kind === 'turn_ended') return dropRun(state, entry.turn.run, entry.turn.n);
  if (entry.kind === 'run_changed' && isRunOver(entry.run.state)) {
    return dropRun(state, entry.run.id, Number.POSITIVE_INFINITY);
  }
  if (entry.kind === 'call_changed' && isCallOver(entry.call.state)) {
    if (!(entry.call.id in state.calls)) return state;
    const { [entry.call.id]: _done, ...calls } = state.calls;
    return { ...state, calls };
  }
  return state;
}

function dropRun(state: LiveState, run: string, turn: number): LiveState {
  const known = state.runs[run];
  if (known === undefined || known.turn > turn) return state;
  const { [run]: _done, ...runs } = state.runs;
  return { ...state, runs };
}
