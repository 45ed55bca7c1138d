/** The nouns of the office as the API speaks them. Times are ISO texts with an offset; money is in millionths of a US dollar. */

export type Thinking = 'off' | 'minimal' | 'low' | 'medium' | 'high';
export type Duty = 'on_duty' | 'wait' | 'wrapping_up' | 'off_duty';
export type Activity = 'idle' | 'busy' | 'stuck' | 'dead';
export type RunState =
  | 'queued'
  | 'running'
  | 'awaiting_person'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'blocked';
export type TurnState = 'running' | 'completed' | 'failed' | 'cancelled' | 'interrupted';
export type CallState =
  | 'pending'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  | 'interrupted';
export type ItemState = 'queued' | 'paused' | 'taken' | 'done' | 'parked' | 'cancelled' | 'expired';
export type TaskStatus = 'waiting' | 'todo' | 'in_progress' | 'done' | 'failed' | 'blocked';

export interface Usage {
  input_tokens?: number;
  output_tokens?: number;
  cache_read_tokens?: number;
  cache_write_tokens?: number;
  reasoning_tokens?: number;
}

export interface ClockView {
  mode: 'wall' | 'simulated';
  zone: string;
  day: number;
  office_at: string;
  real_at: string;
  rate: number;
}

export interface OfficeView {
  name: string;
  title: string;
  description: string;
  language: string;
  state: 'running' | 'paused';
  paused_reason: string;
  paused_by: string;
  model: string;
  rehearsal: boolean;
  clock: ClockView;
  budget_usd_micros: number;
  spent_usd_micros: number;
  spent_day: number;
}

export interface AgentView {
  name: string;
  title: string;
  description: string;
  group: string;
  reports_to: string;
  model: string;
  priority: string;
  thinking: Thinking;
  duty: Duty;
  activity: Activity;
  run: string;
  computer: string;
  tools: string[];
  inbox_paused: boolean;
  removed: boolean;
}

export interface ThreadView {
  id: string;
  kind: 'dm' | 'channel' | 'internal';
  name: string;
  title: string;
  description: string;
  members: string[];
  person: string;
  messages: number;
  last_at: string | null;
  last_text: string;
  last_author: string;
  cleared_before: number;
}

export interface MessageView {
  id: string;
  thread: string;
  n: number;
  author_kind: 'person' | 'agent' | 'office';
  author: string;
  text: string;
  mentions: string[];
  files: string[];
  run: string;
  at: string;
}

export interface Evidence {
  kind: 'file' | 'note' | 'check';
  text: string;
  path: string;
  agent: string;
}

export interface TaskView {
  id: string;
  title: string;
  description: string;
  status: TaskStatus;
  priority: number;
  assignee: string;
  created_by: string;
  parent: string;
  depends_on: string[];
  thread: string;
  report_channel: string;
  result: string;
  evidence: Evidence[];
  blocked_reason: string;
  attempts: number;
  comments: number;
  run: string;
  lease_until: string | null;
  created_at: string;
  updated_at: string;
  started_at: string | null;
  completed_at: string | null;
}

export interface CommentView {
  task: string;
  n: number;
  author: string;
  text: string;
  at: string;
}

export interface RunView {
  id: string;
  agent: string;
  state: RunState;
  item: string;
  dialogue: string;
  kind: string;
  title: string;
  thread: string;
  task: string;
  model: string;
  fence: number;
  turns: number;
  calls: number;
  usage: Usage;
  cost_usd_micros: number;
  reason_code: string;
  reason: string;
  outcome: string;
  started_at: string;
  ended_at: string | null;
}

export interface TurnView {
  run: string;
  agent: string;
  n: number;
  state: TurnState;
  model: string;
  text: string;
  reasoning: string;
  finish: string;
  usage: Usage;
  cost_usd_micros: number;
  attempts: number;
  duration_ms: number;
  error: string;
  /** Office day the usage is booked on. */
  day: number;
  at: string;
}

export interface Artifact {
  kind: 'file' | 'diff' | 'message' | 'task';
  path?: string;
  diff?: string;
  id?: string;
  bytes?: number;
}

export interface CallView {
  id: string;
  run: string;
  agent: string;
  turn: number;
  index: number;
  name: string;
  arguments: string;
  state: CallState;
  code: string;
  result: string;
  result_bytes: number;
  result_path: string;
  artifacts: Artifact[];
  started_at: string | null;
  ended_at: string | null;
  duration_ms: number;
}

export interface Decision {
  agent: string;
  accepted: boolean;
  layer: 'target' | 'mask' | 'salience' | 'wake';
  score: number;
  threshold: number;
  keywords: string[];
  reason: string;
}

export interface EventView {
  id: string;
  source: string;
  type: string;
  priority: number;
  target: string;
  text: string;
  payload: Record<string, unknown>;
  by: string;
  accepted: number;
  considered: number;
  at: string;
}

export interface ItemView {
  id: string;
  agent: string;
  kind: string;
  source: string;
  type: string;
  sender: string;
  text: string;
  priority: number;
  order: number;
  state: ItemState;
  event: string;
  thread: string;
  task: string;
  run: string;
  attempts: number;
  reason: string;
  /** Agents' messages since a person's last one. */
  hops: number;
  queued_at: string;
  expires_at: string | null;
}

export interface AlertView {
  id: string;
  code: string;
  severity: 'info' | 'warning' | 'error';
  text: string;
  hint: string;
  agent: string;
  run: string;
  task: string;
  count: number;
  at: string;
  acknowledged_by: string;
  acknowledged_at: string | null;
}

export interface FileInfo {
  path: string;
  kind: 'file' | 'folder' | 'link' | 'other';
  size_bytes: number;
  modified_at: number;
}

export type Entry =
  | { kind: 'office_changed'; office: OfficeView }
  | { kind: 'agent_changed'; agent: AgentView }
  | { kind: 'event_published'; event: EventView; decisions: Decision[] }
  | { kind: 'item_changed'; item: ItemView }
  | { kind: 'run_changed'; run: RunView }
  | { kind: 'turn_ended'; turn: TurnView; run: RunView }
  | { kind: 'call_changed'; call: CallView }
  | { kind: 'thread_changed'; thread: ThreadView }
  | { kind: 'thread_removed'; thread: string }
  | { kind: 'message_posted'; message: MessageView; thread: ThreadView }
  | { kind: 'thread_read'; thread: string; person: string; n: number }
  | { kind: 'task_changed'; task: TaskView; change: string }
  | { kind: 'task_removed'; task: string }
  | { kind: 'task_commented'; comment: CommentView; task: TaskView }
  | { kind: 'alert_changed'; alert: AlertView }
  | {
      kind: 'dialogue_compacted';
      agent: string;
      dialogue: string;
      run: string;
      before_tokens: number;
      after_tokens: number;
      method: 'summary' | 'trimmed';
    }
  | {
      kind: 'file_written';
      agent: string;
      path: string;
      run: string;
      call: string;
      bytes: number;
      new: boolean;
    }
  | { kind: 'prompt_composed'; agent: string; hash: string; chars: number }
  | {
      kind: 'timer_changed';
      id: string;
      agent: string;
      purpose: string;
      state: 'set' | 'fired' | 'cancelled';
      due_at: string;
    };

export type EntryKind = Entry['kind'];

export interface Recorded {
  seq: number;
  at: string;
  actor: string;
  entry: Entry;
}

export interface RunDelta {
  kind: 'run_delta';
  run: string;
  agent: string;
  turn: number;
  text?: string;
  reasoning?: string;
  tool?: string;
  whole?: boolean;
}

export interface CallOutput {
  kind: 'call_output';
  call: string;
  run: string;
  agent: string;
  text: string;
  whole?: boolean;
}

export type Live = RunDelta | CallOutput;

/** The office at one moment: all agents, threads and tasks; open runs, calls, items and alerts. */
export interface Snapshot {
  seq: number;
  office: OfficeView;
  agents: Record<string, AgentView>;
  threads: Record<string, ThreadView>;
  tasks: Record<string, TaskView>;
  runs: Record<string, RunView>;
  calls: Record<string, CallView>;
  items: Record<string, ItemView>;
  alerts: Record<string, AlertView>;
  /** `PERSON/THREAD` to the last message that person has read. */
  reads: Record<string, number>;
}

export type ThemeChoice = 'auto' | 'light' | 'dark';
export type Language = 'en' | 'zh';

export interface Person {
  id: string;
  name: string;
  language: string;
  theme: string;
  is_owner: boolean;
}

export interface Me {
  person: Person;
  csrf: string;
  version: string;
  offices: OfficeView[];
}

export interface Session {
  id: string;
  current: boolean;
  created_at: string;
  last_seen_at: string;
  user_agent: string;
  address: string;
}

export interface Page<T> {
  items: T[];
  next: string | null;
}

export interface TaskHistory {
  at: string;
  actor: string;
  change: string;
  from: string;
  to: string;
  note: string;
}

export interface TaskDetail {
  task: TaskView;
  comments: CommentView[];
  history: TaskHistory[];
  runs: RunView[];
  dependents: string[];
}

export interface RunDetail {
  run: RunView;
  turns: TurnView[];
  calls: CallView[];
}

export interface CallDetail {
  call: CallView;
  arguments: string;
  result: string;
}

export interface EventDetail {
  event: EventView;
  decisions: Decision[];
  next: string | null;
}

export interface FolderView {
  path: string;
  items: FileInfo[];
  truncated: boolean;
}

export interface UsageRow {
  key: string;
  input_tokens: number;
  output_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  requests: number;
  cost_usd_micros: number;
  unpriced_requests: number;
}

export interface UsageReport {
  rows: UsageRow[];
  total: UsageRow;
  budget: { limit_usd_micros: number; spent_usd_micros: number };
}

export interface ToolView {
  name: string;
  family: string;
  description: string;
  parameters: Record<string, unknown>;
  allowed: boolean;
  reason: string;
  read_only: boolean;
  dangerous: boolean;
  limit_s: number;
}

export interface PromptView {
  hash: string;
  mode: string;
  version: string;
  chars: number;
  cap: number;
  blocks: { name: string; title: string; text: string; chars: number; cap: number; cut: boolean }[];
}

export interface ModelInfo {
  ref: string;
  context_tokens: number;
  reasoning: boolean;
  images: boolean;
  input_usd_per_million: number | null;
  output_usd_per_million: number | null;
}

export interface ProviderView {
  id: string;
  name: string;
  dialect: string;
  base_url: string;
  key_env: string;
  local: boolean;
  usable: boolean;
  reason: string;
  hint: string;
  default_model: string;
  models: ModelInfo[];
}

export interface ProviderTest {
  ok: boolean;
  message: string;
  latency_ms: number;
}

export interface IsolationView {
  in_force: string;
  network: boolean;
  why: string;
  improve: string;
}

export interface TokenView {
  id: string;
  name: string;
  office: string;
  scopes: string[];
  created_at: string;
  last_used_at: string | null;
  secret?: string;
}
