/** What an API token may be limited to. */
export const SCOPE_GROUPS = {
  office: ['office:read', 'office:edit', 'office:pause', 'ledger:read', 'usage:read'],
  agents: ['agents:read', 'agents:edit', 'inbox:read', 'inbox:edit', 'files:read'],
  work: ['tasks:read', 'tasks:edit', 'tasks:delete', 'runs:read', 'runs:control'],
  talk: ['threads:read', 'threads:post', 'threads:clear', 'channels:edit'],
  events: ['events:read', 'events:publish', 'alerts:read', 'alerts:acknowledge'],
} as const;

export type ScopeGroup = keyof typeof SCOPE_GROUPS;
export const GROUP_NAMES = Object.keys(SCOPE_GROUPS) as ScopeGroup[];

/** All that only look. */
export const READING: string[] = GROUP_NAMES.flatMap((group) =>
  SCOPE_GROUPS[group].filter((scope) => scope.endsWith(':read')),
);
