/** Entries as rows of the feed: newest first, what belongs to one run together. Pure. */
import type { Recorded, RunView } from '../../api/types';
import { dayKey } from '../text/time';
import { runOfEntry } from './describe';

export type FeedRow =
  | { kind: 'day'; key: string; at: number }
  | { kind: 'entry'; key: string; recorded: Recorded }
  | {
      kind: 'run';
      key: string;
      run: string;
      agent: string;
      view: RunView | undefined;
      entries: Recorded[];
    };

/** Of a call's several states, and of a run's, only the latest says something. */
function withoutOlderStates(newestFirst: readonly Recorded[]): Recorded[] {
  const seen = new Set<string>();
  return newestFirst.filter(({ entry }) => {
    if (entry.kind !== 'call_changed') return true;
    if (seen.has(entry.call.id)) return false;
    seen.add(entry.call.id);
    return true;
  });
}

function agentOf(entries: readonly Recorded[]): string {
  for (const { entry, actor } of entries) {
    if (entry.kind === 'run_changed') return entry.run.agent;
    if (actor.startsWith('agent:')) return actor.slice('agent:'.length);
  }
  return '';
}

function viewOf(entries: readonly Recorded[]): RunView | undefined {
  for (const { entry } of entries) {
    if (entry.kind === 'run_changed' || entry.kind === 'turn_ended') return entry.run;
  }
  return undefined;
}

export function feedRows(
  newestFirst: readonly Recorded[],
  { grouped, zone }: { grouped: boolean; zone: string },
): FeedRow[] {
  const rows: FeedRow[] = [];
  const groups = new Map<string, Recorded[]>();
  let day = '';
  for (const recorded of withoutOlderStates(newestFirst)) {
    const run = grouped ? runOfEntry(recorded.entry) : '';
    const known = run === '' ? undefined : groups.get(run);
    if (known !== undefined) {
      known.push(recorded);
      continue;
    }
    const at = Date.parse(recorded.at);
    const today = dayKey(at, zone);
    if (today !== day) rows.push({ kind: 'day', key: `day:${today}:${recorded.seq}`, at });
    day = today;
    if (run === '') {
      rows.push({ kind: 'entry', key: `entry:${recorded.seq}`, recorded });
    } else {
      const entries = [recorded];
      groups.set(run, entries);
      rows.push({ kind: 'run', key: `run:${run}`, run, agent: '', view: undefined, entries });
    }
  }
  return rows.map((row) =>
    row.kind === 'run' ? { ...row, agent: agentOf(row.entries), view: viewOf(row.entries) } : row,
  );
}
