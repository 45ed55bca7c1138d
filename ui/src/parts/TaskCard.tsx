/** A card of the board: what, who, how urgent, what it waits for. */
import { Text } from '@mantine/core';
import { Link2, MessageSquare, Paperclip, RotateCcw } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskView } from '../api/types';
import { Face } from './Face';
import classes from './TaskCard.module.css';

interface Props {
  task: TaskView;
  /** How many of its dependencies are not done. */
  waitsFor: number;
  /** The agent works on it right now. */
  isLive: boolean;
  isDragging?: boolean;
}

export const TaskCard = memo(function TaskCard({
  task,
  waitsFor,
  isLive,
  isDragging = false,
}: Props) {
  const { t } = useTranslation();
  const reason = task.status === 'blocked' ? task.blocked_reason : '';
  return (
    <div
      className={classes.card}
      data-dragging={isDragging || undefined}
      data-priority={task.priority}
    >
      <Text className={classes.title} lineClamp={3}>
        {task.title}
      </Text>
      {reason !== '' && (
        <Text className={classes.reason} lineClamp={2}>
          {reason}
        </Text>
      )}
      <div className={classes.foot}>
        {task.assignee !== '' && (
          <span className={classes.who}>
            <Face name={task.assignee} size={20} presence={isLive ? 'busy' : undefined} />
            {task.assignee}
          </span>
        )}
        <span className={classes.spring} />
        {task.priority >= 3 && (
          <span className={classes.urgent}>{t(`parts.priority.${task.priority}`)}</span>
        )}
        {waitsFor > 0 && (
          <Mark icon={<Link2 size={13} />} count={waitsFor} label={t('parts.waits_for')} />
        )}
        {task.evidence.length > 0 && (
          <Mark
            icon={<Paperclip size={13} />}
            count={task.evidence.length}
            label={t('parts.evidence')}
          />
        )}
        {task.comments > 0 && (
          <Mark
            icon={<MessageSquare size={13} />}
            count={task.comments}
            label={t('parts.comments')}
          />
        )}
        {task.attempts > 1 && (
          <Mark icon={<RotateCcw size={13} />} count={task.attempts} label={t('parts.attempts')} />
        )}
      </div>
    </div>
  );
});

function Mark({ icon, count, label }: { icon: ReactNode; count: number; label: string }) {
  return (
    <span className={classes.mark} title={`${count} ${label}`}>
      {icon}
      {count}
    </span>
  );
}
