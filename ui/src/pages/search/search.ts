/** What the search page's address says. */
export interface SearchFor {
  text: string;
  /** Only within this thread; everywhere when not given. */
  thread?: string;
}

export function searchFor(search: Record<string, unknown>): SearchFor {
  const text = search.text === undefined ? '' : String(search.text);
  return typeof search.thread === 'string' && search.thread !== ''
    ? { text, thread: search.thread }
    : { text };
}
