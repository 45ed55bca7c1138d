/** Everything that can be changed, one function each. They throw a Problem when the server refuses. */
import { officePath, request } from './client';
import type {
  AgentView,
  AlertView,
  CommentView,
  Evidence,
  ItemView,
  Me,
  MessageView,
  OfficeView,
  Preview,
  ProviderTest,
  RunView,
  TaskStatus,
  TaskView,
  ThreadView,
  TokenView,
} from './types';

const post = <T>(path: string, body: unknown = {}) => request<T>(path, { method: 'POST', body });
const patch = <T>(path: string, body: unknown) => request<T>(path, { method: 'PATCH', body });
const remove = (path: string) => request<void>(path, { method: 'DELETE' });

export const signIn = (token: string) => post<Me>('/api/sign-in', { token });
export const signOut = () => post<void>('/api/sign-out');
export const changeMe = (change: { name?: string; language?: string; theme?: string }) =>
  patch<Me>('/api/me', change);
export const endSession = (id: string) => remove(`/api/me/sessions/${encodeURIComponent(id)}`);
export const createToken = (token: { name: string; office?: string; scopes: string[] }) =>
  post<TokenView>('/api/tokens', token);
export const deleteToken = (id: string) => remove(`/api/tokens/${encodeURIComponent(id)}`);
export const testProvider = (id: string) =>
  post<ProviderTest>(`/api/providers/${encodeURIComponent(id)}/test`);

export const createOffice = (office: { name: string; title?: string; example?: string }) =>
  post<OfficeView>('/api/offices', office);
export const changeOffice = (
  office: string,
  change: { title?: string; description?: string; model?: string; budget_usd?: number },
) => patch<OfficeView>(officePath(office), change);
export const pauseOffice = (office: string, reason: string) =>
  post<OfficeView>(officePath(office, 'pause'), { reason });
export const resumeOffice = (office: string) => post<OfficeView>(officePath(office, 'resume'));

/** `queue` waits its turn in the inbox; `steer` joins the run that is under way. */
export type SendMode = 'queue' | 'steer';

export interface Sent {
  message: MessageView;
  item: ItemView | null;
}

/** `key` makes a repeated send the same message. */
export const sendMessage = (
  office: string,
  thread: string,
  message: { text: string; mode: SendMode; key: string },
) => post<Sent>(officePath(office, 'threads', thread, 'messages'), message);

/** Sends to an agent, opening the DM when there is none yet. */
export const messageAgent = (
  office: string,
  agent: string,
  message: { text: string; mode: SendMode; key: string },
) => post<Sent>(officePath(office, 'agents', agent, 'messages'), message);

export const markRead = (office: string, thread: string, n: number) =>
  post<void>(officePath(office, 'threads', thread, 'read'), { n });
export const clearThread = (office: string, thread: string) =>
  post<ThreadView>(officePath(office, 'threads', thread, 'clear'));

export const createChannel = (
  office: string,
  channel: { name: string; description: string; members: string[] },
) => post<ThreadView>(officePath(office, 'channels'), channel);
export const changeChannel = (
  office: string,
  name: string,
  change: { description?: string; members?: string[] },
) => patch<ThreadView>(officePath(office, 'channels', name), change);
export const deleteChannel = (office: string, name: string) =>
  remove(officePath(office, 'channels', name));

export interface NewTask {
  title: string;
  description: string;
  assignee: string;
  priority: number;
  depends_on: string[];
  parent: string;
  report_channel: string;
}

export const createTask = (office: string, task: NewTask) =>
  post<TaskView>(officePath(office, 'tasks'), task);
export const changeTask = (office: string, task: string, change: Partial<NewTask>) =>
  patch<TaskView>(officePath(office, 'tasks', task), change);
export const moveTask = (
  office: string,
  task: string,
  move: { status: TaskStatus; reason?: string; result?: string; evidence?: Evidence[] },
) => post<TaskView>(officePath(office, 'tasks', task, 'move'), move);
export const restartTask = (office: string, task: string) =>
  post<TaskView>(officePath(office, 'tasks', task, 'restart'));
export const commentTask = (office: string, task: string, text: string) =>
  post<CommentView>(officePath(office, 'tasks', task, 'comments'), { text });
export const deleteTask = (office: string, task: string) =>
  remove(officePath(office, 'tasks', task));

export const cancelRun = (office: string, run: string, reason = '') =>
  post<RunView>(officePath(office, 'runs', run, 'cancel'), { reason });
export const steerRun = (office: string, run: string, text: string) =>
  post<RunView>(officePath(office, 'runs', run, 'steer'), { text });

export const changeAgent = (
  office: string,
  agent: string,
  change: {
    model?: string;
    thinking?: string;
    priority?: string;
    reports_to?: string;
    description?: string;
    prompt_inline?: string;
  },
) => patch<AgentView>(officePath(office, 'agents', agent), change);
export const pauseInbox = (office: string, agent: string, paused: boolean) =>
  post<AgentView>(officePath(office, 'agents', agent, 'inbox', paused ? 'pause' : 'resume'));
export const changeItem = (office: string, item: string, verb: 'cancel' | 'pause' | 'resume') =>
  post<ItemView>(officePath(office, 'items', item, verb));
export const moveItem = (office: string, item: string, before: string | null) =>
  post<ItemView>(officePath(office, 'items', item, 'move'), { before });

export const publishEvent = (
  office: string,
  event: { source: string; type: string; text: string; priority: number; target?: string },
) => post<unknown>(officePath(office, 'events'), event);

export const acknowledgeAlert = (office: string, alert: string) =>
  post<AlertView>(officePath(office, 'alerts', alert, 'acknowledge'));

/** An address at which a page of a workspace can be seen for a while, with what lies beside it. */
export const openPreview = (office: string, agent: string, path: string) =>
  post<Preview>(officePath(office, 'agents', agent, 'files', 'previews'), { path });
