/** Desktop notices: for what needs a person, while nobody looks. */
import type { AlertView, Recorded, TaskView } from '../api/types';
import { paths, threadPath } from '../parts/paths';

const KEPT_AT = 'dayshift.notices';

export interface Notice {
  /** Words: `shell.notice.<key>`. */
  key: 'alert' | 'question' | 'message' | 'blocked';
  values: Record<string, string>;
  body: string;
  to: string;
  /** Two tabs that see the same entry show one notice. */
  tag: string;
}

const BODY_CHARS = 160;

/** Alerts of a task whose card is blocked with them: the card says it itself, and leads to more. */
const TOLD_BY_CARD: ReadonlySet<string> = new Set(['task_blocked', 'run_failed', 'run_blocked']);

function callsForPerson({ acknowledged_by, severity, task, code }: AlertView): boolean {
  if (acknowledged_by !== '' || severity === 'info') return false;
  return task === '' || !TOLD_BY_CARD.has(code);
}

/** What is held up by another card comes free with that one. */
const gotStuck = ({ task, change }: { task: TaskView; change: string }): boolean =>
  task.status === 'blocked' && change !== 'edited' && (task.blocked_by ?? []).length === 0;

/** What an entry asks of the person; null when nothing. Pure. */
export function noticeOf(office: string, person: string, recorded: Recorded): Notice | null {
  const { actor, entry, seq } = recorded;
  const tag = `dayshift:${office}:${seq}`;
  const home = paths.home(office);
  switch (entry.kind) {
    case 'alert_changed':
      if (!callsForPerson(entry.alert)) return null;
      return { key: 'alert', values: {}, body: entry.alert.text, to: home, tag };
    case 'run_changed': {
      if (entry.run.state !== 'awaiting_person') return null;
      const { agent, title } = entry.run;
      return { key: 'question', values: { agent }, body: title, to: paths.dm(office, agent), tag };
    }
    case 'message_posted': {
      const { message, thread } = entry;
      if (message.author_kind === 'person' || thread.kind !== 'dm' || thread.person !== person) {
        return null;
      }
      const to = threadPath(office, thread, message.n);
      return {
        key: 'message',
        values: { agent: message.author },
        body: message.text.slice(0, BODY_CHARS),
        to,
        tag,
      };
    }
    case 'task_changed': {
      if (actor === `person:${person}` || !gotStuck(entry)) return null;
      const { id, title, blocked_reason } = entry.task;
      const values = { title };
      return { key: 'blocked', values, body: blocked_reason, to: paths.board(office, id), tag };
    }
    default:
      return null;
  }
}

/** `absent`: the browser has none here, which is so without HTTPS on other addresses than this machine's. */
export type NoticeState = 'on' | 'off' | 'denied' | 'absent';

export function noticeState(): NoticeState {
  if (!('Notification' in window)) return 'absent';
  if (Notification.permission === 'denied') return 'denied';
  const wanted = localStorage.getItem(KEPT_AT) === 'on';
  return wanted && Notification.permission === 'granted' ? 'on' : 'off';
}

/** Switches them on, asking the browser's permission, or off. */
export async function switchNotices(on: boolean): Promise<NoticeState> {
  if (on && 'Notification' in window) await Notification.requestPermission();
  localStorage.setItem(KEPT_AT, on ? 'on' : 'off');
  return noticeState();
}

export function showNotice(title: string, { body, tag }: Notice, open: () => void): void {
  if (noticeState() !== 'on') return;
  const shown = new Notification(title, { body, tag });
  shown.onclick = () => {
    window.focus();
    open();
    shown.close();
  };
}
