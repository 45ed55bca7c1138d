/**
 * The office at one moment, and how an entry changes it: `apply(old, entry)` is the new snapshot.
 *
 * The same function stands in `dayshift.core.snapshot`; both are held to a fresh snapshot by tests. Nothing
 * is changed in place: whatever an entry does not touch keeps its identity, so that pages redraw only what changed.
 */
import type {
  CallState,
  Entry,
  ItemState,
  OfficeView,
  Recorded,
  RunState,
  Snapshot,
  TurnView,
} from '../api/types';

const RUN_ENDS: ReadonlySet<RunState> = new Set(['completed', 'failed', 'cancelled', 'blocked']);
const CALL_ENDS: ReadonlySet<CallState> = new Set([
  'succeeded',
  'failed',
  'cancelled',
  'interrupted',
]);
const OPEN_ITEMS: ReadonlySet<ItemState> = new Set(['queued', 'paused', 'taken', 'parked']);

export const isRunOver = (state: RunState): boolean => RUN_ENDS.has(state);
export const isCallOver = (state: CallState): boolean => CALL_ENDS.has(state);

/** A value that the type system says cannot be; a kind this build does not know yet is passed over. */
function assertNever(_value: never): void {}

function keep<T>(into: Record<string, T>, key: string, value: T, kept: boolean): Record<string, T> {
  if (kept) return { ...into, [key]: value };
  if (!(key in into)) return into;
  const { [key]: _gone, ...rest } = into;
  return rest;
}

function without<T>(from: Record<string, T>, key: string): Record<string, T> {
  if (!(key in from)) return from;
  const { [key]: _gone, ...rest } = from;
  return rest;
}

/** The snapshot after the entry. An entry already applied changes nothing. */
export function apply(snapshot: Snapshot, recorded: Recorded): Snapshot {
  if (recorded.seq <= snapshot.seq) return snapshot;
  return { ...snapshot, ...change(snapshot, recorded.entry), seq: recorded.seq };
}

/** Money is counted on the office day that the turn is booked on. */
function spent(office: OfficeView, turn: TurnView): OfficeView {
  if (turn.day !== office.spent_day) return office;
  return { ...office, spent_usd_micros: office.spent_usd_micros + turn.cost_usd_micros };
}

function change(s: Snapshot, entry: Entry): Partial<Snapshot> {
  switch (entry.kind) {
    case 'office_changed':
      return { office: entry.office };
    case 'agent_changed':
      return { agents: keep(s.agents, entry.agent.name, entry.agent, !entry.agent.removed) };
    case 'item_changed':
      return { items: keep(s.items, entry.item.id, entry.item, OPEN_ITEMS.has(entry.item.state)) };
    case 'run_changed':
      return { runs: keep(s.runs, entry.run.id, entry.run, !isRunOver(entry.run.state)) };
    case 'turn_ended':
      return {
        runs: keep(s.runs, entry.run.id, entry.run, !isRunOver(entry.run.state)),
        office: spent(s.office, entry.turn),
      };
    case 'call_changed':
      return { calls: keep(s.calls, entry.call.id, entry.call, !isCallOver(entry.call.state)) };
    case 'thread_changed':
    case 'message_posted':
      return { threads: { ...s.threads, [entry.thread.id]: entry.thread } };
    case 'thread_removed':
      return { threads: without(s.threads, entry.thread) };
    case 'thread_read':
      return { reads: { ...s.reads, [`${entry.person}/${entry.thread}`]: entry.n } };
    case 'task_changed':
    case 'task_commented':
      return { tasks: { ...s.tasks, [entry.task.id]: entry.task } };
    case 'task_removed':
      return { tasks: without(s.tasks, entry.task) };
    case 'alert_changed':
      return {
        alerts: keep(s.alerts, entry.alert.id, entry.alert, entry.alert.acknowledged_by === ''),
      };
    case 'event_published':
    case 'dialogue_compacted':
    case 'file_written':
    case 'prompt_composed':
    case 'timer_changed':
      return {};
    default:
      assertNever(entry);
      return {};
  }
}
