/** How many messages of a thread a person has not seen. */
import type { ThreadView } from '../api/types';

export function unreadOf(
  reads: Record<string, number>,
  thread: Pick<ThreadView, 'id' | 'messages' | 'cleared_before'>,
  person: string,
): number {
  const read = Math.max(reads[`${person}/${thread.id}`] ?? 0, thread.cleared_before - 1);
  return Math.max(0, thread.messages - read);
}
