/** Every address, method, parameter and field that the UI sends stands in wire/openapi.json. Demanded by: PLAT-3. */
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import document from '../../../wire/openapi.json';
import * as actions from './actions';
import { seqAt } from './moment';
import * as queries from './queries';

interface Schema {
  $ref?: string;
  properties?: Record<string, unknown>;
}
interface Operation {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}
type Paths = Record<string, Record<string, Operation>>;

const paths = document.paths as unknown as Paths;
const schemas = document.components.schemas as unknown as Record<string, Schema>;

function operationOf(method: string, path: string): Operation | undefined {
  const parts = path.split('/');
  const found = Object.entries(paths).find(([template, methods]) => {
    const names = template.split('/');
    return (
      method in methods &&
      names.length === parts.length &&
      names.every((name, i) => name.startsWith('{') || name === parts[i])
    );
  });
  return found?.[1][method];
}

function fieldsOf(operation: Operation): string[] {
  const schema = operation.requestBody?.content['application/json']?.schema;
  const name = schema?.$ref?.split('/').at(-1);
  return Object.keys((name === undefined ? schema : schemas[name])?.properties ?? {});
}

const sent: { method: string; url: URL; body: unknown }[] = [];

beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal('fetch', (address: string, options: RequestInit = {}) => {
    const body = typeof options.body === 'string' ? JSON.parse(options.body) : undefined;
    const method = (options.method ?? 'GET').toLowerCase();
    sent.push({ method, url: new URL(address, 'http://office.test'), body });
    return Promise.resolve(new Response('{"items":[],"next":null}', { status: 200 }));
  });
});

function expectInContract(): void {
  expect(sent.length).toBeGreaterThan(0);
  for (const { method, url, body } of sent) {
    const what = `${method} ${url.pathname}`;
    const operation = operationOf(method, url.pathname);
    expect(operation, what).toBeDefined();
    if (operation === undefined) continue;
    const names = (operation.parameters ?? []).filter((one) => one.in === 'query');
    for (const name of url.searchParams.keys()) {
      expect(
        names.map((one) => one.name),
        `${what}?${name}`,
      ).toContain(name);
    }
    for (const field of Object.keys((body as object | undefined) ?? {})) {
      expect(fieldsOf(operation), `${what} ${field}`).toContain(field);
    }
  }
}

const message = { text: 'hi', mode: 'queue', key: 'k' } as const;
const task = {
  title: 't',
  description: '',
  assignee: '',
  priority: 2,
  depends_on: [],
  parent: '',
  report_channel: '',
};

const ACTIONS: Record<keyof typeof actions, () => Promise<unknown>> = {
  signIn: () => actions.signIn('t'),
  signOut: () => actions.signOut(),
  changeMe: () => actions.changeMe({ name: 'Ada', language: 'en', theme: 'dark' }),
  endSession: () => actions.endSession('S'),
  createToken: () => actions.createToken({ name: 'ci', office: 'acme', scopes: [] }),
  deleteToken: () => actions.deleteToken('T'),
  testProvider: () => actions.testProvider('openai'),
  createOffice: () => actions.createOffice({ name: 'acme', title: '', example: '' }),
  changeOffice: () =>
    actions.changeOffice('acme', { title: '', description: '', model: '', budget_usd: 1 }),
  pauseOffice: () => actions.pauseOffice('acme', 'lunch'),
  resumeOffice: () => actions.resumeOffice('acme'),
  sendMessage: () => actions.sendMessage('acme', 'H-1', message),
  messageAgent: () => actions.messageAgent('acme', 'iris', message),
  markRead: () => actions.markRead('acme', 'H-1', 3),
  clearThread: () => actions.clearThread('acme', 'H-1'),
  createChannel: () => actions.createChannel('acme', { name: 'dev', description: '', members: [] }),
  changeChannel: () => actions.changeChannel('acme', 'dev', { description: '', members: [] }),
  deleteChannel: () => actions.deleteChannel('acme', 'dev'),
  createTask: () => actions.createTask('acme', task),
  changeTask: () => actions.changeTask('acme', 'T-1', task),
  moveTask: () =>
    actions.moveTask('acme', 'T-1', { status: 'done', reason: '', result: '', evidence: [] }),
  restartTask: () => actions.restartTask('acme', 'T-1'),
  commentTask: () => actions.commentTask('acme', 'T-1', 'hi'),
  deleteTask: () => actions.deleteTask('acme', 'T-1'),
  cancelRun: () => actions.cancelRun('acme', 'R-1', 'why'),
  steerRun: () => actions.steerRun('acme', 'R-1', 'left'),
  changeAgent: () => actions.changeAgent('acme', 'iris', { model: '', thinking: 'low' }),
  pauseInbox: () => actions.pauseInbox('acme', 'iris', true),
  changeItem: () => actions.changeItem('acme', 'I-1', 'cancel'),
  moveItem: () => actions.moveItem('acme', 'I-1', null),
  publishEvent: () =>
    actions.publishEvent('acme', { source: 'custom', type: 't', text: '', priority: 3 }),
  openPreview: () => actions.openPreview('acme', 'iris', 'site/index.html'),
  acknowledgeAlert: () => actions.acknowledgeAlert('acme', 'A-1'),
};

test.each(Object.entries(ACTIONS))('%s is what the server takes', async (_, act) => {
  await act();
  expectInContract();
});

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });

test('everything that is read stands in the document, with its filters', async () => {
  const { fetchQuery, fetchInfiniteQuery } = client;
  const one = fetchQuery.bind(client);
  const many = fetchInfiniteQuery.bind(client);
  await Promise.all([
    one(queries.meQuery),
    one(queries.sessionsQuery),
    one(queries.tokensQuery),
    one(queries.providersQuery),
    one(queries.isolationQuery),
    many(queries.messagesQuery('acme', 'H-1')),
    many(queries.messageSearchQuery('acme', 'page')),
    many(
      queries.ledgerQuery(
        'acme',
        { kind: 'run_changed', agent: 'iris', run: 'R-1', task: 'T-1', text: 'x' },
        9,
      ),
    ),
    one(queries.agentQuery('acme', 'iris')),
    one(queries.promptQuery('acme', 'iris')),
    one(queries.toolsQuery('acme', 'iris')),
    one(queries.inboxQuery('acme', 'iris', 'queued')),
    many(
      queries.runsQuery('acme', { agent: 'iris', state: 'running', task: 'T-1', thread: 'H-1' }),
    ),
    one(queries.runQuery('acme', 'R-1')),
    one(queries.turnBodyQuery('acme', 'R-1', 1, 'request')),
    one(queries.callQuery('acme', 'C-1')),
    one(queries.taskQuery('acme', 'T-1')),
    one(queries.folderQuery('acme', 'iris', 'site')),
    one(queries.fileTextQuery('acme', 'iris', 'site/index.html')),
    one(queries.fileHistoryQuery('acme', 'iris', 'site/index.html')),
    one(queries.usageQuery('acme', 'agent', 7)),
    seqAt('acme', 0, 1).then(() => seqAt('acme', 0, 2)),
  ]);
  expectInContract();
});
