/** What of an office's threads stands in the sidebar, and in which order. */
import type { AgentView, ThreadView } from '../../api/types';

/** More agents than this are found through the palette. */
const AGENTS_MAX = 30;

export interface SidebarThreads {
  channels: ThreadView[];
  agents: { agent: AgentView; dm: ThreadView | undefined }[];
  /** Agents left out. */
  more: number;
  talks: ThreadView[];
}

const byName = (a: ThreadView, b: ThreadView) => a.name.localeCompare(b.name);
const lastAt = (thread: ThreadView | undefined) => thread?.last_at ?? '';

export function sidebarThreads(
  threads: Record<string, ThreadView>,
  agents: Record<string, AgentView>,
  person: string,
): SidebarThreads {
  const all = Object.values(threads);
  const dms = new Map(
    all.filter((t) => t.kind === 'dm' && t.person === person).map((t) => [t.name, t]),
  );
  const everybody = Object.values(agents).map((agent) => ({ agent, dm: dms.get(agent.name) }));
  // In a small office everybody keeps a place; in a large one those come first that one talks with.
  if (everybody.length > AGENTS_MAX) {
    everybody.sort((a, b) => lastAt(b.dm).localeCompare(lastAt(a.dm)));
  }
  return {
    channels: all.filter((t) => t.kind === 'channel').sort(byName),
    agents: everybody.slice(0, AGENTS_MAX),
    more: Math.max(0, everybody.length - AGENTS_MAX),
    talks: all
      .filter((t) => t.kind === 'internal')
      .sort((a, b) => lastAt(b).localeCompare(lastAt(a)))
      .slice(0, AGENTS_MAX),
  };
}
