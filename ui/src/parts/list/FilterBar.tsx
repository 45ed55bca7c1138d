/** Filters in a row; on a phone in two even columns. */
import type { ReactNode } from 'react';
import classes from './FilterBar.module.css';

interface Props {
  children: ReactNode;
}

export function FilterBar({ children }: Props) {
  return <div className={classes.bar}>{children}</div>;
}
