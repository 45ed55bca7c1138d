/** The agents as the list shows them: with their run, and what waits for them. */
import type { AgentView, ItemView, RunView } from '../../api/types';
import { type Presence, presenceOf } from '../../parts/presence';
import type { AgentsSearch } from './search';

export interface AgentRow {
  agent: AgentView;
  presence: Presence;
  run: RunView | undefined;
  /** Items that wait, also those held back. */
  waiting: number;
  /** Items set aside after failing. */
  parked: number;
}

export function agentRows(
  agents: Readonly<Record<string, AgentView>>,
  runs: Readonly<Record<string, RunView>>,
  items: Readonly<Record<string, ItemView>>,
  search: AgentsSearch,
): AgentRow[] {
  const waiting = new Map<string, number>();
  const parked = new Map<string, number>();
  for (const { agent, state } of Object.values(items)) {
    const counts = state === 'parked' ? parked : state === 'taken' ? undefined : waiting;
    counts?.set(agent, (counts.get(agent) ?? 0) + 1);
  }
  const words = (search.text ?? '').toLowerCase();
  return Object.values(agents)
    .map((agent) => ({
      agent,
      presence: presenceOf(agent),
      run: runs[agent.run],
      waiting: waiting.get(agent.name) ?? 0,
      parked: parked.get(agent.name) ?? 0,
    }))
    .filter(({ agent, presence }) => {
      if (search.presence !== undefined && presence !== search.presence) return false;
      const text = `${agent.name} ${agent.title} ${agent.group} ${agent.model}`.toLowerCase();
      return text.includes(words);
    });
}
