/** What an entry of the ledger says to a person: words, who, where it leads. Pure and exhaustive. */
import type { Entry, EntryKind, MessageView, Recorded, ThreadView } from '../../api/types';
import { paths, threadPath } from '../paths';
import { gistOf } from '../tool/callText';

export type Tone = 'calm' | 'live' | 'good' | 'warn' | 'bad';

export interface Description {
  /** Who did it: `agent:NAME`, `person:ID` or `office`. */
  actor: string;
  /** Words: `feed.entry.<key>`. */
  key: string;
  values: Record<string, string | number>;
  /** A second line in the thing's own words. */
  detail: string;
  to: string;
  tone: Tone;
}

/** Chips of the feed's filter, and the kinds behind each. */
export const KIND_GROUPS = {
  messages: ['message_posted', 'thread_changed', 'thread_removed'],
  tasks: ['task_changed', 'task_commented', 'task_removed'],
  runs: ['run_changed', 'turn_ended', 'dialogue_compacted', 'prompt_composed'],
  tools: ['call_changed', 'file_written'],
  inbox: ['event_published', 'item_changed', 'timer_changed'],
  office: ['office_changed', 'agent_changed', 'alert_changed', 'thread_read'],
} as const satisfies Record<string, readonly EntryKind[]>;

export type KindGroup = keyof typeof KIND_GROUPS;

/** Kinds that repeat what others say; shown only when asked for. */
export const QUIET_KINDS: ReadonlySet<EntryKind> = new Set([
  'thread_read',
  'item_changed',
  'agent_changed',
  'office_changed',
  'prompt_composed',
  'event_published',
  'thread_changed',
]);

/** The run an entry belongs to; empty for none. */
export function runOfEntry(entry: Entry): string {
  switch (entry.kind) {
    case 'run_changed':
    case 'turn_ended':
      return entry.run.id;
    case 'call_changed':
      return entry.call.run;
    case 'message_posted':
      return entry.message.run;
    case 'file_written':
    case 'dialogue_compacted':
      return entry.run;
    default:
      return '';
  }
}

function threadName(thread: ThreadView): string {
  return thread.kind === 'channel' ? `#${thread.name}` : thread.name;
}

const authorOf = (message: MessageView) =>
  message.author_kind === 'office' ? 'office' : `${message.author_kind}:${message.author}`;

const TONES: Partial<Record<string, Tone>> = {
  failed: 'bad',
  blocked: 'warn',
  interrupted: 'warn',
  done: 'good',
  completed: 'good',
  succeeded: 'good',
  running: 'live',
  in_progress: 'live',
};

const toneOf = (state: string): Tone => TONES[state] ?? 'calm';

/** Changes of a card that are no move to another column. */
const TASK_CHANGES: Partial<Record<string, string>> = {
  created: 'task_created',
  edited: 'task_changed',
  restarted: 'task_restarted',
};

type Said = Partial<Description> & { key: string };
type Sayings = {
  [K in EntryKind]: (entry: Extract<Entry, { kind: K }>, office: string) => Said;
};

/** One saying for every kind of entry; the type complains about a forgotten one. */
const SAYINGS: Sayings = {
  office_changed: (entry) => ({
    key: entry.office.state === 'paused' ? 'office_paused' : 'office_changed',
    detail: entry.office.paused_reason,
    tone: entry.office.state === 'paused' ? 'warn' : 'calm',
  }),
  agent_changed: (entry, office) => ({
    actor: `agent:${entry.agent.name}`,
    key: entry.agent.removed ? 'agent_removed' : `agent_${entry.agent.activity}`,
    to: paths.agent(office, entry.agent.name),
  }),
  event_published: (entry, office) => ({
    key: 'event',
    values: { accepted: entry.event.accepted, considered: entry.event.considered },
    detail: entry.event.text,
    to: paths.event(office, entry.event.id),
  }),
  item_changed: (entry, office) => ({
    actor: `agent:${entry.item.agent}`,
    key: `item_${entry.item.state}`,
    detail: entry.item.reason || entry.item.text,
    to: paths.agent(office, entry.item.agent, 'inbox'),
  }),
  run_changed: (entry, office) => ({
    actor: `agent:${entry.run.agent}`,
    key: `run_${entry.run.state}`,
    values: { title: entry.run.title },
    detail: entry.run.reason || entry.run.outcome,
    to: paths.run(office, entry.run.id),
    tone: toneOf(entry.run.state),
  }),
  turn_ended: (entry, office) => ({
    actor: `agent:${entry.turn.agent}`,
    key: entry.turn.state === 'completed' ? 'turn' : 'turn_broken',
    values: { n: entry.turn.n },
    detail: entry.turn.error || entry.turn.text,
    to: paths.run(office, entry.run.id),
    tone: entry.turn.state === 'completed' ? 'calm' : 'warn',
  }),
  call_changed: (entry, office) => ({
    actor: `agent:${entry.call.agent}`,
    key: `call_${entry.call.state}`,
    values: { tool: entry.call.name },
    detail: gistOf(entry.call.arguments),
    to: paths.run(office, entry.call.run),
    tone: toneOf(entry.call.state),
  }),
  thread_changed: (entry, office) => ({
    key: 'thread_changed',
    values: { thread: threadName(entry.thread) },
    to: threadPath(office, entry.thread),
  }),
  thread_removed: (entry) => ({ key: 'thread_removed', values: { thread: entry.thread } }),
  message_posted: (entry, office) => ({
    actor: authorOf(entry.message),
    key: entry.thread.kind === 'internal' ? 'message_internal' : `message_${entry.thread.kind}`,
    values: { thread: threadName(entry.thread) },
    detail: entry.message.text,
    to: threadPath(office, entry.thread, entry.message.n),
  }),
  thread_read: (entry) => ({ actor: `person:${entry.person}`, key: 'thread_read' }),
  task_changed: (entry, office) => ({
    key: TASK_CHANGES[entry.change] ?? 'task_moved',
    values: { title: entry.task.title, status: entry.task.status },
    detail: entry.task.status === 'blocked' ? entry.task.blocked_reason : '',
    to: paths.board(office, entry.task.id),
    tone: toneOf(entry.task.status),
  }),
  task_removed: (entry) => ({ key: 'task_removed', values: { task: entry.task } }),
  task_commented: (entry, office) => ({
    key: 'task_commented',
    values: { title: entry.task.title },
    detail: entry.comment.text,
    to: paths.board(office, entry.task.id),
  }),
  alert_changed: (entry, office) => ({
    key: entry.alert.acknowledged_by === '' ? 'alert' : 'alert_seen',
    detail: entry.alert.text,
    tone: entry.alert.acknowledged_by === '' ? 'warn' : 'calm',
    to: paths.home(office),
  }),
  dialogue_compacted: (entry, office) => ({
    actor: `agent:${entry.agent}`,
    key: 'compacted',
    values: { before: entry.before_tokens, after: entry.after_tokens },
    to: entry.run === '' ? '' : paths.run(office, entry.run),
  }),
  file_written: (entry, office) => ({
    actor: `agent:${entry.agent}`,
    key: entry.new ? 'file_new' : 'file_changed',
    values: { path: entry.path },
    to: paths.files(office, entry.agent, entry.path),
    tone: 'good',
  }),
  prompt_composed: (entry, office) => ({
    actor: `agent:${entry.agent}`,
    key: 'prompt',
    to: paths.agent(office, entry.agent, 'prompt'),
  }),
  timer_changed: (entry) => ({
    actor: entry.agent === '' ? 'office' : `agent:${entry.agent}`,
    key: `timer_${entry.state}`,
    detail: entry.purpose,
  }),
};

export function describe(office: string, recorded: Recorded): Description {
  const { entry, actor } = recorded;
  const say = SAYINGS[entry.kind] as ((entry: Entry, office: string) => Said) | undefined;
  // An entry of a newer server than this page.
  const said = say?.(entry, office) ?? { key: 'unknown', values: { kind: entry.kind } };
  return { actor, values: {}, detail: '', to: '', tone: 'calm', ...said };
}
