/** What the addresses of the agents' pages say. */

export const AGENT_VIEWS = ['table', 'cards', 'chart'] as const;
export type AgentsView = (typeof AGENT_VIEWS)[number];

export interface AgentsSearch {
  view?: AgentsView;
  text?: string;
  presence?: string;
}

export function agentsSearch(search: Record<string, unknown>): AgentsSearch {
  const kept: AgentsSearch = {};
  const view = AGENT_VIEWS.find((one) => one === search.view);
  if (view !== undefined && view !== 'table') kept.view = view;
  for (const key of ['text', 'presence'] as const) {
    const value = search[key];
    if (value !== undefined && value !== '') kept[key] = String(value);
  }
  return kept;
}

export const AGENT_TABS = [
  'overview',
  'inbox',
  'runs',
  'files',
  'prompt',
  'tools',
  'usage',
  'settings',
] as const;
export type AgentTab = (typeof AGENT_TABS)[number];

export interface AgentSearch {
  tab?: AgentTab;
}

export function agentSearch(search: Record<string, unknown>): AgentSearch {
  const tab = AGENT_TABS.find((one) => one === search.tab);
  return tab === undefined || tab === 'overview' ? {} : { tab };
}
