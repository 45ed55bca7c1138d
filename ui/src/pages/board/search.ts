/** What the board's address says: the open card and the filters. */
export interface BoardSearch {
  task?: string;
  assignee?: string;
  /** Only this card's chain: itself, its parts, what it waits for. */
  chain?: string;
  text?: string;
  /** Draws every dependency, not only those of the card in hand. */
  lines?: true;
}

export function boardSearch(search: Record<string, unknown>): BoardSearch {
  const kept: BoardSearch = search.lines === true ? { lines: true } : {};
  for (const key of ['task', 'assignee', 'chain', 'text'] as const) {
    const value = search[key];
    if (value !== undefined && value !== '') kept[key] = String(value);
  }
  return kept;
}
