/** What stands where there is nothing else to show: why, and what to do about it. */
import { Text, Title } from '@mantine/core';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import classes from './Notice.module.css';

interface Props {
  icon: ReactNode;
  title: string;
  text?: string | undefined;
  tone?: 'calm' | 'warn' | 'bad';
  compact?: boolean;
  /** It is the whole page: its title is the page's. */
  isPage?: boolean;
  /** A button or link. */
  action?: ReactNode;
}

export function Notice({
  icon,
  title,
  text,
  tone = 'calm',
  compact = false,
  isPage = false,
  action,
}: Props) {
  return (
    <div
      className={clsx(classes.notice, compact && classes.compact)}
      data-tone={tone}
      role={tone === 'bad' ? 'alert' : 'status'}
    >
      {!compact && <span className={classes.icon}>{icon}</span>}
      {isPage ? (
        <Title order={1} size="h2">
          {title}
        </Title>
      ) : (
        <Text fw={650}>{title}</Text>
      )}
      {text && (
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      )}
      {action && <div style={{ marginTop: 10 }}>{action}</div>}
    </div>
  );
}
