/** The address of everything, so that whatever names a thing can lead to it. */

const e = encodeURIComponent;
const query = (pairs: Record<string, string | number | undefined>): string => {
  const kept = Object.entries(pairs).filter(([, value]) => value !== undefined && value !== '');
  if (kept.length === 0) return '';
  return `?${new URLSearchParams(kept.map(([key, value]) => [key, String(value)]))}`;
};

export const paths = {
  home: (office: string) => `/o/${e(office)}`,
  floor: (office: string) => `/o/${e(office)}/floor`,
  feed: (
    office: string,
    filter: { agent?: string; run?: string; task?: string; at?: number } = {},
  ) => `/o/${e(office)}/feed${query(filter)}`,
  dm: (office: string, agent: string) => `/o/${e(office)}/dm/${e(agent)}`,
  channel: (office: string, name: string) => `/o/${e(office)}/channels/${e(name)}`,
  talk: (office: string, thread: string) => `/o/${e(office)}/talk/${e(thread)}`,
  search: (office: string, text: string, thread?: string) =>
    `/o/${e(office)}/search${query({ text, thread })}`,
  board: (office: string, task?: string) => `/o/${e(office)}/board${query({ task })}`,
  agents: (office: string) => `/o/${e(office)}/agents`,
  agent: (office: string, agent: string, tab?: string) =>
    `/o/${e(office)}/agents/${e(agent)}${query({ tab })}`,
  runs: (office: string, filter: { agent?: string; task?: string } = {}) =>
    `/o/${e(office)}/runs${query(filter)}`,
  run: (office: string, run: string) => `/o/${e(office)}/runs/${e(run)}`,
  events: (office: string) => `/o/${e(office)}/events`,
  event: (office: string, event: string) => `/o/${e(office)}/events/${e(event)}`,
  files: (office: string, agent?: string, path?: string) =>
    `/o/${e(office)}/files${query({ agent, path })}`,
  usage: (office: string) => `/o/${e(office)}/usage`,
  settings: (office: string, section?: string) => `/o/${e(office)}/settings${query({ section })}`,
};

/** The page of a thread. */
export function threadPath(
  office: string,
  thread: { id: string; kind: string; name: string },
  n?: number,
): string {
  const at = query({ n });
  if (thread.kind === 'channel') return paths.channel(office, thread.name) + at;
  return (
    (thread.kind === 'dm' ? paths.dm(office, thread.name) : paths.talk(office, thread.id)) + at
  );
}
