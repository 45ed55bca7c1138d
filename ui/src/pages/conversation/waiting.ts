/** Messages of mine that are on their way. Pure. */

import type { SendMode } from '../../api/actions';
import type { MessageView } from '../../api/types';

export interface Waiting {
  key: string;
  text: string;
  mode: SendMode;
  /** Number of the thread's last message when it was sent. */
  after: number;
  /** Why it was refused; empty while it is under way. */
  refused: string;
}

/** Those that do not stand in the thread yet; the feed may be faster than the answer to the sender. */
export function notYetThere(
  waiting: readonly Waiting[],
  messages: readonly MessageView[],
  person: string,
): Waiting[] {
  const mine = messages.filter((one) => one.author_kind === 'person' && one.author === person);
  const taken = new Set<string>();
  return waiting.filter((one) => {
    const there = mine.find(
      (message) =>
        message.n > one.after && message.text.trim() === one.text && !taken.has(message.id),
    );
    if (there) taken.add(there.id);
    return there === undefined;
  });
}
