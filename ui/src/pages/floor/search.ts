/** What the floor's address says: the picture, or the table. */
export interface FloorSearch {
  view?: 'table';
}

export const floorSearch = (search: Record<string, unknown>): FloorSearch =>
  search.view === 'table' ? { view: 'table' } : {};
