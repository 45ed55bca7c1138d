/** What the settings' address says: the section. */
export const SECTIONS = [
  'office',
  'providers',
  'isolation',
  'look',
  'sessions',
  'tokens',
  'about',
] as const;
export type Section = (typeof SECTIONS)[number];

export interface SettingsSearch {
  section?: Section;
}

export function settingsSearch(search: Record<string, unknown>): SettingsSearch {
  const section = SECTIONS.find((one) => one === search.section);
  return section === undefined ? {} : { section };
}
