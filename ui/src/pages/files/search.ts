/** What the files page's address says: whose workspace, and what in it. */
export interface FilesSearch {
  agent?: string;
  path?: string;
  view?: 'source' | 'history';
}

export function filesSearch(search: Record<string, unknown>): FilesSearch {
  const kept: FilesSearch = {};
  if (search.agent !== undefined) kept.agent = String(search.agent);
  if (search.path !== undefined && search.path !== '') kept.path = String(search.path);
  if (search.view === 'source' || search.view === 'history') kept.view = search.view;
  return kept;
}
