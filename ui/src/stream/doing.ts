/** What a run is at right now, in one word and perhaps a tool's name. */
import type { CallView } from '../api/types';
import type { LiveRun } from './live';

export type Doing =
  | { what: 'tool'; tool: string; call: CallView }
  | { what: 'writing' | 'thinking' | 'asking' };

export function doingOf(
  run: string,
  calls: Readonly<Record<string, CallView>>,
  live: LiveRun | undefined,
): Doing {
  const open = Object.values(calls).filter((call) => call.run === run);
  const call = open.find((one) => one.state === 'running') ?? open[0];
  if (call !== undefined) return { what: 'tool', tool: call.name, call };
  if (live === undefined) return { what: 'asking' };
  return { what: live.text !== '' ? 'writing' : live.reasoning !== '' ? 'thinking' : 'asking' };
}
