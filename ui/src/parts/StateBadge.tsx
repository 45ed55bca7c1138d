/** The state of a task, run or tool call, in its one colour everywhere. */
import { useTranslation } from 'react-i18next';
import type { CallState, RunState, TaskStatus } from '../api/types';
import classes from './StateBadge.module.css';

type Props =
  | { of: 'task'; state: TaskStatus }
  | { of: 'run'; state: RunState }
  | { of: 'call'; state: CallState };

type Tone = 'calm' | 'live' | 'good' | 'warn' | 'bad';

const TONES: Record<TaskStatus | RunState | CallState, Tone> = {
  waiting: 'calm',
  todo: 'calm',
  queued: 'calm',
  pending: 'calm',
  cancelled: 'calm',
  in_progress: 'live',
  running: 'live',
  awaiting_person: 'warn',
  blocked: 'warn',
  interrupted: 'warn',
  done: 'good',
  completed: 'good',
  succeeded: 'good',
  failed: 'bad',
};

export function StateBadge({ of, state }: Props) {
  const { t } = useTranslation();
  return (
    <span className={classes.badge} data-tone={TONES[state]}>
      <span className={classes.dot} aria-hidden="true" />
      {t(`parts.${of}.${state}`)}
    </span>
  );
}
