/** What a watcher holds, and the frames that move it on. Shared by the worker and the pages; pure. */
import type { Live, Recorded, Snapshot } from '../api/types';
import { apply } from './apply';
import { applyLive, type LiveState, NOTHING_LIVE, settle } from './live';

export interface OfficeState {
  snapshot: Snapshot;
  live: LiveState;
}

export type Frame =
  | { kind: 'snapshot'; snapshot: Snapshot }
  | { kind: 'entry'; recorded: Recorded }
  | { kind: 'live'; live: Live };

/** How the connection stands. `signed_out` and `gone` do not heal by waiting. */
export type Link = 'connecting' | 'open' | 'lost' | 'signed_out' | 'gone';

/** The state after a frame, or `gap` when an entry is missing in between and only a new snapshot helps. */
export function advance(state: OfficeState | null, frame: Frame): OfficeState | null | 'gap' {
  if (frame.kind === 'snapshot') return { snapshot: frame.snapshot, live: NOTHING_LIVE };
  if (state === null) return null;
  if (frame.kind === 'live') return { ...state, live: applyLive(state.live, frame.live) };
  if (frame.recorded.seq > state.snapshot.seq + 1) return 'gap';
  if (frame.recorded.seq <= state.snapshot.seq) return state;
  return {
    snapshot: apply(state.snapshot, frame.recorded),
    live: settle(state.live, frame.recorded.entry),
  };
}
