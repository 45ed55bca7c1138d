/** A run's steps in the order they happened: thoughts and words of each turn, then its tool calls. Pure. */
import type { CallView, RunDetail, TurnView } from '../../api/types';

export interface Step {
  turn: TurnView;
  calls: CallView[];
  /** The turn's words, unless they stand in the thread as a message already. */
  text: string;
}

export function stepsOf(detail: RunDetail, posted: ReadonlySet<string>): Step[] {
  return detail.turns.map((turn) => ({
    turn,
    calls: detail.calls.filter((call) => call.turn === turn.n),
    text: posted.has(turn.text.trim()) ? '' : turn.text,
  }));
}

/** Calls of a turn that has not ended in the ledger yet. */
export function looseCalls(detail: RunDetail): CallView[] {
  const known = new Set(detail.turns.map((turn) => turn.n));
  return detail.calls.filter((call) => !known.has(call.turn));
}
