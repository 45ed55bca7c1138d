/** A page's title, what it is for, and what can be done on it. */
import { Title } from '@mantine/core';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import classes from './PageHeader.module.css';

interface Props {
  title: ReactNode;
  text?: ReactNode;
  /** Stand beside the title, whatever the width. */
  actions?: ReactNode;
  /** Stand beside the title where there is room, else below it. */
  filters?: ReactNode;
  className?: string | undefined;
}

export function PageHeader({ title, text, actions, filters, className }: Props) {
  return (
    <header className={clsx(classes.head, className)}>
      <div className={classes.text}>
        <Title order={1}>{title}</Title>
        {text && <div className={classes.about}>{text}</div>}
      </div>
      {filters && <div className={classes.filters}>{filters}</div>}
      {actions && <div className={classes.actions}>{actions}</div>}
    </header>
  );
}
