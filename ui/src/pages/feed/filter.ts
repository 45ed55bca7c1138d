/** Whether an entry that has just come in belongs to what the filter shows. Mirrors what the server does. Pure. */
import type { EntryKind, Recorded } from '../../api/types';
import { KIND_GROUPS, QUIET_KINDS, runOfEntry } from '../../parts/feed/describe';
import type { FeedSearch } from './search';

/** The kinds the filter asks for; null for all. */
export function kindsOf(search: FeedSearch): ReadonlySet<EntryKind> | null {
  if (search.kinds === undefined) return null;
  return new Set(search.kinds.flatMap((group) => [...KIND_GROUPS[group]] as EntryKind[]));
}

function isAbout(recorded: Recorded, agent: string): boolean {
  if (recorded.actor === `agent:${agent}`) return true;
  const { entry } = recorded;
  switch (entry.kind) {
    case 'agent_changed':
      return entry.agent.name === agent;
    case 'item_changed':
      return entry.item.agent === agent;
    case 'run_changed':
    case 'turn_ended':
      return entry.run.agent === agent;
    case 'call_changed':
      return entry.call.agent === agent;
    case 'task_changed':
    case 'task_commented':
      return entry.task.assignee === agent;
    case 'message_posted':
      return entry.message.author === agent || entry.message.mentions.includes(agent);
    case 'alert_changed':
      return entry.alert.agent === agent;
    case 'file_written':
    case 'dialogue_compacted':
    case 'prompt_composed':
    case 'timer_changed':
      return entry.agent === agent;
    default:
      return false;
  }
}

function taskOf({ entry }: Recorded): string {
  switch (entry.kind) {
    case 'task_changed':
    case 'task_commented':
      return entry.task.id;
    case 'task_removed':
      return entry.task;
    case 'run_changed':
    case 'turn_ended':
      return entry.run.task;
    case 'item_changed':
      return entry.item.task;
    default:
      return '';
  }
}

export function isShown(recorded: Recorded, search: FeedSearch): boolean {
  const { kind } = recorded.entry;
  const kinds = kindsOf(search);
  if (kinds !== null && !kinds.has(kind)) return false;
  if (kinds === null && search.all !== true && QUIET_KINDS.has(kind)) return false;
  if (search.agent !== undefined && !isAbout(recorded, search.agent)) return false;
  if (search.run !== undefined && runOfEntry(recorded.entry) !== search.run) return false;
  if (search.task !== undefined && taskOf(recorded) !== search.task) return false;
  if (search.text === undefined) return true;
  return JSON.stringify(recorded.entry).toLowerCase().includes(search.text.toLowerCase());
}
