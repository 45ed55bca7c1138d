/** Keeps what pages have fetched true as entries come in: messages are appended, other answers are asked again. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { messagesKey, officeKey, runQuery } from '../api/queries';
import type { MessageView, Page, Recorded } from '../api/types';
import { moveRun } from './runDetail';

type MessagePages = InfiniteData<Page<MessageView>, string | null>;

/** The message pages with one more message in front; a message that is there already stays once. */
export function withMessage(
  data: MessagePages | undefined,
  message: MessageView,
): MessagePages | undefined {
  const [first, ...rest] = data?.pages ?? [];
  if (data === undefined || first === undefined) return data;
  if (first.items.some((known) => known.id === message.id)) return data;
  const items = [message, ...first.items].sort((a, b) => b.n - a.n);
  return { ...data, pages: [{ ...first, items }, ...rest] };
}

/** The query keys, below the office's, whose answers the entry has made old. */
export function staleKeys({ entry }: Recorded): readonly (readonly string[])[] {
  switch (entry.kind) {
    case 'task_changed':
      return [['task', entry.task.id]];
    case 'task_commented':
      return [['task', entry.task.id]];
    case 'run_changed':
      return [['runs'], ['usage'], ...taskOf(entry.run.task)];
    case 'call_changed':
      return [['call', entry.call.id]];
    case 'item_changed':
      return [['inbox', entry.item.agent]];
    case 'agent_changed':
      return [['agent', entry.agent.name]];
    case 'prompt_composed':
      return [['prompt', entry.agent]];
    case 'file_written':
      return [['files', entry.agent]];
    case 'event_published':
      return [['events']];
    case 'thread_changed':
      return entry.thread.cleared_before > 0 ? [['messages', entry.thread.id]] : [];
    default:
      return [];
  }
}

const taskOf = (task: string): readonly (readonly string[])[] =>
  task === '' ? [] : [['task', task]];

/** The run an entry is about; empty when it is about none. */
function runOf({ entry }: Recorded): string {
  if (entry.kind === 'run_changed' || entry.kind === 'turn_ended') return entry.run.id;
  return entry.kind === 'call_changed' ? entry.call.run : '';
}

export function patchQueries(
  client: QueryClient,
  office: string,
  entries: readonly Recorded[],
): void {
  const stale = new Map<string, readonly string[]>();
  for (const recorded of entries) {
    const { entry } = recorded;
    if (entry.kind === 'message_posted') {
      client.setQueryData<MessagePages>(messagesKey(office, entry.thread.id), (data) =>
        withMessage(data, entry.message),
      );
    }
    const run = runOf(recorded);
    if (run !== '') {
      client.setQueryData(runQuery(office, run).queryKey, (known) =>
        known === undefined ? known : moveRun(known, recorded),
      );
    }
    for (const key of staleKeys(recorded)) stale.set(key.join('\u0000'), key);
  }
  for (const key of stale.values()) {
    void client.invalidateQueries({ queryKey: [...officeKey(office), ...key] });
  }
}
