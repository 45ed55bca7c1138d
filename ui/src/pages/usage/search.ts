/** What the usage page's address says. */
export const SPANS = [1, 7, 30, 90] as const;
export const GROUPS = ['agent', 'model', 'task', 'run'] as const;
export type Group = (typeof GROUPS)[number];

export interface UsageSearch {
  days?: (typeof SPANS)[number];
  by?: Group;
  show?: 'money' | 'tokens';
}

export function usageSearch(search: Record<string, unknown>): UsageSearch {
  const kept: UsageSearch = {};
  const days = SPANS.find((one) => String(one) === String(search.days));
  if (days !== undefined && days !== 7) kept.days = days;
  const by = GROUPS.find((one) => one === search.by);
  if (by !== undefined && by !== 'agent') kept.by = by;
  if (search.show === 'money' || search.show === 'tokens') kept.show = search.show;
  return kept;
}
