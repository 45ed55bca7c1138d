/** What a conversation's address may say: the message to show. */
export interface ConversationSearch {
  /** Number of a message in its thread. */
  n?: number;
}

export function conversationSearch(search: Record<string, unknown>): ConversationSearch {
  const n = Number(search.n);
  return Number.isInteger(n) && n > 0 ? { n } : {};
}
