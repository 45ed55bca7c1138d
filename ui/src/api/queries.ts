/** Everything that can be read, as query options: the key and the way to fetch belong together. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { officePath, type QueryValue, request, requestText } from './client';
import type {
  AgentView,
  CallDetail,
  EventDetail,
  EventView,
  FolderView,
  IsolationView,
  ItemView,
  Me,
  MessageView,
  Page,
  PromptView,
  ProviderView,
  Recorded,
  RunDetail,
  RunView,
  Session,
  TaskDetail,
  TokenView,
  ToolView,
  UsageReport,
} from './types';

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => request<Me>('/api/me', { signal }),
  staleTime: 60_000,
});

export const sessionsQuery = queryOptions({
  queryKey: ['me', 'sessions'],
  queryFn: ({ signal }) => request<Page<Session>>('/api/me/sessions', { signal }),
});

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => request<Page<TokenView>>('/api/tokens', { signal }),
});

export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: ({ signal }) => request<ProviderView[]>('/api/providers', { signal }),
  staleTime: 60_000,
});

export const isolationQuery = queryOptions({
  queryKey: ['isolation'],
  queryFn: ({ signal }) => request<IsolationView>('/api/isolation', { signal }),
  staleTime: 60_000,
});

/** All keys of an office start with this, so that one call can forget them. */
export const officeKey = (office: string) => ['office', office] as const;

/** Pages of a list that goes back in time; the cursor is the server's. */
function pages<T>(
  key: readonly unknown[],
  path: string,
  query: Record<string, QueryValue>,
  limit = 50,
) {
  return infiniteQueryOptions({
    queryKey: key,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      request<Page<T>>(path, { query: { ...query, before: pageParam, limit }, signal }),
    getNextPageParam: (last) => last.next,
  });
}

export const messagesKey = (office: string, thread: string) => [
  ...officeKey(office),
  'messages',
  thread,
];

/** A thread's messages, newest first. */
export const messagesQuery = (office: string, thread: string) =>
  pages<MessageView>(
    messagesKey(office, thread),
    officePath(office, 'threads', thread, 'messages'),
    {},
  );

export const messageSearchQuery = (office: string, text: string) =>
  pages<MessageView>([...officeKey(office), 'search', text], officePath(office, 'messages'), {
    q: text,
  });

export interface LedgerFilter {
  kind?: string | undefined;
  agent?: string | undefined;
  run?: string | undefined;
  task?: string | undefined;
  text?: string | undefined;
}

/** The ledger, newest first. `upTo` starts at a moment in the past (a seq). */
export const ledgerQuery = (office: string, filter: LedgerFilter, upTo?: number, limit = 100) =>
  infiniteQueryOptions({
    queryKey: [...officeKey(office), 'ledger', filter, upTo ?? null, limit],
    initialPageParam: upTo === undefined ? null : String(upTo + 1),
    queryFn: ({ pageParam, signal }) =>
      request<Page<Recorded>>(officePath(office, 'ledger'), {
        query: { ...filter, before: pageParam, limit },
        signal,
      }),
    getNextPageParam: (last) => last.next,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const agentQuery = (office: string, agent: string) =>
  queryOptions({
    queryKey: [...officeKey(office), 'agent', agent],
    queryFn: ({ signal }) => request<AgentView>(officePath(office, 'agents', agent), { signal }),
  });

export const promptQuery = (office: string, agent: string) =>
  queryOptions({
    queryKey: [...officeKey(office), 'prompt', agent],
    queryFn: ({ signal }) =>
      request<PromptView>(officePath(office, 'agents', agent, 'prompt'), { signal }),
  });

export const toolsQuery = (office: string, agent: string) =>
  queryOptions({
    queryKey: [...officeKey(office), 'tools', agent],
    queryFn: ({ signal }) =>
      request<ToolView[]>(officePath(office, 'agents', agent, 'tools'), { signal }),
  });

export const inboxQuery = (office: string, agent: string, state = '') =>
  queryOptions({
    queryKey: [...officeKey(office), 'inbox', agent, state],
    queryFn: ({ signal }) =>
      request<Page<ItemView>>(officePath(office, 'agents', agent, 'inbox'), {
        query: { state },
        signal,
      }),
  });

export interface RunFilter {
  agent?: string | undefined;
  state?: string | undefined;
  task?: string | undefined;
  thread?: string | undefined;
}

export const runsQuery = (office: string, filter: RunFilter, limit = 50) =>
  pages<RunView>(
    [...officeKey(office), 'runs', filter, limit],
    officePath(office, 'runs'),
    { ...filter },
    limit,
  );

export const runQuery = (office: string, run: string) =>
  queryOptions({
    queryKey: [...officeKey(office), 'run', run],
    queryFn: ({ signal }) => request<RunDetail>(officePath(office, 'runs', run), { signal }),
    staleTime: 5_000,
  });

/** The raw request of a turn as sent, or the canonical answer. */
export const turnBodyQuery = (
  office: string,
  run: string,
  n: number,
  what: 'request' | 'response',
) =>
  queryOptions({
    queryKey: [...officeKey(office), 'turn', run, n, what],
    queryFn: ({ signal }) =>
      requestText(officePath(office, 'runs', run, 'turns', n, what), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const callQuery = (office: string, call: string) =>
  queryOptions({
    queryKey: [...officeKey(office), 'call', call],
    queryFn: ({ signal }) => request<CallDetail>(officePath(office, 'calls', call), { signal }),
  });

export const taskQuery = (office: string, task: string) =>
  queryOptions({
    queryKey: [...officeKey(office), 'task', task],
    queryFn: ({ signal }) => request<TaskDetail>(officePath(office, 'tasks', task), { signal }),
  });

export const eventsQuery = (office: string, filter: Record<string, QueryValue>) =>
  pages<EventView>([...officeKey(office), 'events', filter], officePath(office, 'events'), filter);

/** An event with the decisions for all agents, page by page. */
export const eventQuery = (office: string, event: string) =>
  infiniteQueryOptions({
    queryKey: [...officeKey(office), 'event', event],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      request<EventDetail>(officePath(office, 'events', event), {
        query: { before: pageParam, limit: 100 },
        signal,
      }),
    getNextPageParam: (last) => last.next,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const folderQuery = (office: string, agent: string, path: string) =>
  queryOptions({
    queryKey: [...officeKey(office), 'files', agent, 'folder', path],
    queryFn: ({ signal }) =>
      request<FolderView>(officePath(office, 'agents', agent, 'files'), {
        query: { path },
        signal,
      }),
  });

/** Where a file's bytes are. */
export function fileAddress(
  office: string,
  agent: string,
  path: string,
  options: { download?: boolean } = {},
): string {
  const query = new URLSearchParams({ path, download: options.download ? '1' : '0' });
  return `${officePath(office, 'agents', agent, 'files', 'content')}?${query}`;
}

export const fileTextQuery = (office: string, agent: string, path: string) =>
  queryOptions({
    queryKey: [...officeKey(office), 'files', agent, 'text', path],
    queryFn: ({ signal }) => requestText(fileAddress(office, agent, path), { signal }),
  });

/** Every write of a file that the ledger knows, newest first. */
export const fileHistoryQuery = (office: string, agent: string, path: string) =>
  queryOptions({
    queryKey: [...officeKey(office), 'files', agent, 'history', path],
    queryFn: ({ signal }) =>
      request<Page<Recorded>>(officePath(office, 'agents', agent, 'files', 'history'), {
        query: { path },
        signal,
      }),
  });

export const usageQuery = (
  office: string,
  by: 'day' | 'agent' | 'model' | 'task' | 'run',
  days: number,
) =>
  queryOptions({
    queryKey: [...officeKey(office), 'usage', by, days],
    queryFn: ({ signal }) =>
      request<UsageReport>(officePath(office, 'usage'), { query: { by, days }, signal }),
    staleTime: 15_000,
  });
