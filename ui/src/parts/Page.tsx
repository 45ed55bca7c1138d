/** The frame of a page: `reading` keeps lines short, `wide` takes the width, `full` takes the height as well. */
import clsx from 'clsx';
import type { ReactNode } from 'react';
import classes from './Page.module.css';

interface Props {
  children: ReactNode;
  width?: 'reading' | 'wide' | 'full';
}

export function Page({ children, width = 'reading' }: Props) {
  const className =
    width === 'full' ? classes.full : clsx(classes.page, width === 'wide' && classes.wide);
  return <div className={className}>{children}</div>;
}
