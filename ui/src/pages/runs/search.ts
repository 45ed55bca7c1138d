/** What the addresses of the runs' pages say. */
import type { RunState } from '../../api/types';

export const RUN_STATES: readonly RunState[] = [
  'queued',
  'running',
  'awaiting_person',
  'completed',
  'failed',
  'cancelled',
  'blocked',
];

export interface RunsSearch {
  agent?: string;
  state?: RunState;
  task?: string;
  thread?: string;
}

export function runsSearch(search: Record<string, unknown>): RunsSearch {
  const kept: RunsSearch = {};
  const state = RUN_STATES.find((one) => one === search.state);
  if (state !== undefined) kept.state = state;
  for (const key of ['agent', 'task', 'thread'] as const) {
    const value = search[key];
    if (value !== undefined && value !== '') kept[key] = String(value);
  }
  return kept;
}

export interface RunSearch {
  /** The turn whose raw request or response is open. */
  turn?: number;
  raw?: 'request' | 'response';
}

export function runSearch(search: Record<string, unknown>): RunSearch {
  const turn = Number(search.turn);
  if (!Number.isInteger(turn) || turn < 1) return {};
  if (search.raw !== 'request' && search.raw !== 'response') return {};
  return { turn, raw: search.raw };
}
