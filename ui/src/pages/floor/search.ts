/** What the floor's address says: the picture or the table, and who is looked for. */
import { PRESENCES, type Presence } from '../../parts/presence';

export interface FloorSearch {
  view?: 'table';
  presence?: Presence;
}

export function floorSearch(search: Record<string, unknown>): FloorSearch {
  const presence = PRESENCES.find((one) => one === search.presence);
  return {
    ...(search.view === 'table' ? { view: 'table' } : {}),
    ...(presence === undefined ? {} : { presence }),
  };
}
