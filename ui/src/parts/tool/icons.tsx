/** Pictures for tools and for how a call stands. */
import { Loader } from '@mantine/core';
import {
  Ban,
  CircleAlert,
  CircleCheck,
  Clock,
  FilePen,
  FileSearch,
  FileText,
  type LucideIcon,
  MessageSquare,
  SquareKanban,
  Terminal,
  Unplug,
  Wrench,
} from 'lucide-react';
import type { CallState } from '../../api/types';
import classes from './ToolCard.module.css';

const RULES: readonly [RegExp, LucideIcon][] = [
  [/^(bash|run|shell|computer)/, Terminal],
  [/^(write|edit)_/, FilePen],
  [/^(grep|find|ls)$/, FileSearch],
  [/^read/, FileText],
  [/(message|channel|talk|mail)/, MessageSquare],
  [/task/, SquareKanban],
  [/time/, Clock],
];

export function ToolIcon({ name }: { name: string }) {
  const Icon = RULES.find(([pattern]) => pattern.test(name))?.[1] ?? Wrench;
  return <Icon size={15} className={classes.icon} aria-hidden="true" />;
}

const ENDS: Record<Exclude<CallState, 'running' | 'pending'>, LucideIcon> = {
  succeeded: CircleCheck,
  failed: CircleAlert,
  cancelled: Ban,
  interrupted: Unplug,
};

interface Props {
  state: CallState;
  /** The word for the state. */
  label: string;
}

export function CallStateIcon({ state, label }: Props) {
  if (state === 'running' || state === 'pending') {
    return <Loader size={14} color="dawn.6" role="img" aria-label={label} />;
  }
  const Icon = ENDS[state];
  return (
    <Icon size={15} className={classes.end} data-state={state} role="img" aria-label={label}>
      <title>{label}</title>
    </Icon>
  );
}
