/** Whether an entry that has just come in belongs to what the filter shows. Mirrors what the server does. Pure. */
import type { Entry, EntryKind, Recorded } from '../../api/types';
import { KIND_GROUPS, QUIET_KINDS } from '../../parts/feed/describe';
import type { FeedSearch } from './search';

/** The kinds the filter asks for; null for all. */
export function kindsOf(search: FeedSearch): ReadonlySet<EntryKind> | null {
  if (search.kinds === undefined) return null;
  return new Set(search.kinds.flatMap((group) => [...KIND_GROUPS[group]] as EntryKind[]));
}

interface Subject {
  agent?: string;
  run?: string;
  task?: string;
}

/** What an entry is about. The same table stands in `dayshift.store.subjects`. */
function subjectOf(entry: Entry): Subject {
  switch (entry.kind) {
    case 'agent_changed':
      return { agent: entry.agent.name, run: entry.agent.run };
    case 'event_published':
      return { agent: entry.event.target };
    case 'item_changed':
      return entry.item;
    case 'run_changed':
    case 'turn_ended':
      return { agent: entry.run.agent, run: entry.run.id, task: entry.run.task };
    case 'call_changed':
      return { agent: entry.call.agent, run: entry.call.run };
    case 'task_changed':
    case 'task_commented':
      return { agent: entry.task.assignee, run: entry.task.run, task: entry.task.id };
    case 'task_removed':
      return { task: entry.task };
    case 'message_posted': {
      const { message, thread } = entry;
      const partner = thread.kind === 'dm' ? thread.name : '';
      const agent = message.author_kind === 'agent' ? message.author : partner;
      return { agent, run: message.run };
    }
    case 'alert_changed':
      return entry.alert;
    case 'file_written':
    case 'dialogue_compacted':
      return { agent: entry.agent, run: entry.run };
    case 'prompt_composed':
    case 'timer_changed':
      return { agent: entry.agent };
    default:
      return {};
  }
}

/** Whether an entry that the server found shows, too: what repeats others is shown when asked for. */
export function isLoud({ entry }: Recorded, search: FeedSearch): boolean {
  return search.kinds !== undefined || search.all === true || !QUIET_KINDS.has(entry.kind);
}

export function isShown(recorded: Recorded, search: FeedSearch): boolean {
  const { entry } = recorded;
  const kinds = kindsOf(search);
  if (kinds !== null && !kinds.has(entry.kind)) return false;
  if (!isLoud(recorded, search)) return false;
  const subject = subjectOf(entry);
  const isAbout = (['agent', 'run', 'task'] as const).every(
    (key) => search[key] === undefined || subject[key] === search[key],
  );
  if (!isAbout || search.text === undefined) return isAbout;
  // Entries are JSON: what was asked for is looked for as it is spelled there.
  const spelled = JSON.stringify(search.text).slice(1, -1);
  return JSON.stringify(entry).toLowerCase().includes(spelled.toLowerCase());
}
