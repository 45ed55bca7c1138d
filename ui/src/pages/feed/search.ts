/** What the feed's address says: filters, grouping, and the moment to show. */
import { KIND_GROUPS, type KindGroup } from '../../parts/feed/describe';

export interface FeedSearch {
  agent?: string;
  run?: string;
  task?: string;
  text?: string;
  kinds?: KindGroup[];
  /** Entry by entry instead of grouped by run. */
  flat?: true;
  /** Also what repeats other entries. */
  all?: true;
  /** Sequence number of the newest entry to show. */
  at?: number;
}

const isGroup = (value: unknown): value is KindGroup =>
  typeof value === 'string' && value in KIND_GROUPS;

function texts(
  search: Record<string, unknown>,
): Pick<FeedSearch, 'agent' | 'run' | 'task' | 'text'> {
  const kept: Pick<FeedSearch, 'agent' | 'run' | 'task' | 'text'> = {};
  for (const key of ['agent', 'run', 'task', 'text'] as const) {
    const value = search[key];
    if (value !== undefined && value !== '') kept[key] = String(value);
  }
  return kept;
}

export function feedSearch(search: Record<string, unknown>): FeedSearch {
  const at = Number(search.at);
  const kinds = (Array.isArray(search.kinds) ? search.kinds : []).filter(isGroup);
  return {
    ...texts(search),
    ...(kinds.length > 0 ? { kinds } : {}),
    ...(search.flat === true ? { flat: true } : {}),
    ...(search.all === true ? { all: true } : {}),
    ...(Number.isInteger(at) && at > 0 ? { at } : {}),
  };
}
