/** What the addresses of the events' pages say. */
/** Where events come from. */
export const SOURCES = [
  'time',
  'task',
  'mail',
  'talk',
  'channel',
  'person',
  'webhook',
  'custom',
] as const;

export interface EventsSearch {
  source?: string;
  type?: string;
  agent?: string;
  text?: string;
}

export function eventsSearch(search: Record<string, unknown>): EventsSearch {
  const kept: EventsSearch = {};
  for (const key of ['source', 'type', 'agent', 'text'] as const) {
    const value = search[key];
    if (value !== undefined && value !== '') kept[key] = String(value);
  }
  return kept;
}
