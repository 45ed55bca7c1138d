/** A fetched run moved on by entries, so that a long run is not asked again at every step. Pure. */
import type { CallView, Recorded, RunDetail, TurnView } from '../api/types';

const byPlace = (a: CallView, b: CallView) => a.turn - b.turn || a.index - b.index;

function withTurn(turns: TurnView[], turn: TurnView): TurnView[] {
  return [...turns.filter((known) => known.n !== turn.n), turn].sort((a, b) => a.n - b.n);
}

function withCall(calls: CallView[], call: CallView): CallView[] {
  return [...calls.filter((known) => known.id !== call.id), call].sort(byPlace);
}

/** The run after the entry; the same object when the entry is about something else. */
export function moveRun(detail: RunDetail, { entry }: Recorded): RunDetail {
  switch (entry.kind) {
    case 'run_changed':
      return entry.run.id === detail.run.id ? { ...detail, run: entry.run } : detail;
    case 'turn_ended':
      if (entry.run.id !== detail.run.id) return detail;
      return { ...detail, run: entry.run, turns: withTurn(detail.turns, entry.turn) };
    case 'call_changed':
      if (entry.call.run !== detail.run.id) return detail;
      return { ...detail, calls: withCall(detail.calls, entry.call) };
    default:
      return detail;
  }
}
