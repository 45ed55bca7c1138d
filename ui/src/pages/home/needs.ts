/** What waits for a person, worst first. */
import type { AlertView, OfficeView, RunView, Snapshot, TaskView } from '../../api/types';

export type Need =
  | { kind: 'paused'; key: string; office: OfficeView }
  | { kind: 'alert'; key: string; alert: AlertView }
  | { kind: 'question'; key: string; run: RunView }
  | { kind: 'task'; key: string; task: TaskView };

const RANK: Record<AlertView['severity'], number> = { error: 0, warning: 1, info: 2 };

export function needsOf(s: Pick<Snapshot, 'office' | 'alerts' | 'runs' | 'tasks'>): Need[] {
  const paused: Need[] =
    s.office.state === 'paused' ? [{ kind: 'paused', key: 'paused', office: s.office }] : [];
  const questions = Object.values(s.runs)
    .filter((run) => run.state === 'awaiting_person')
    .map((run): Need => ({ kind: 'question', key: run.id, run }));
  const alerts = Object.values(s.alerts)
    .sort((a, b) => RANK[a.severity] - RANK[b.severity] || b.at.localeCompare(a.at))
    .map((alert): Need => ({ kind: 'alert', key: alert.id, alert }));
  const tasks = Object.values(s.tasks)
    .filter((task) => task.status === 'blocked' || task.status === 'failed')
    .sort((a, b) => b.updated_at.localeCompare(a.updated_at))
    .map((task): Need => ({ kind: 'task', key: task.id, task }));
  return [...paused, ...questions, ...alerts, ...tasks];
}
