/** A headed piece of a page. */
import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './Panel.module.css';

interface Props {
  title: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

export function Panel({ title, action, children }: Props) {
  const id = useId();
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} id={id} size="h3">
          {title}
        </Title>
        {action}
      </div>
      <div className={classes.body}>{children}</div>
    </section>
  );
}
