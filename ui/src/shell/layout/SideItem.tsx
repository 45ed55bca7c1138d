/** One place in the sidebar. */
import { VisuallyHidden } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { To } from '../../parts/To';
import classes from './SideItem.module.css';

interface Props {
  to: string;
  icon: ReactNode;
  label: string;
  /** Said after the label, dimmed. */
  note?: string | undefined;
  unread?: number;
  /** Also current below this address. */
  deep?: boolean;
  /** Anchor of the tour. */
  tour?: string;
}

export function SideItem({ to, icon, label, note, unread = 0, deep = false, tour }: Props) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const current = pathname === to || (deep && pathname.startsWith(`${to}/`));
  return (
    <To
      to={to}
      className={classes.item}
      aria-current={current ? 'page' : undefined}
      data-unread={unread > 0 || undefined}
      data-tour={tour}
    >
      {icon}
      <span className={classes.label}>
        {label}
        {note && <span className={classes.note}> {note}</span>}
      </span>
      {unread > 0 && (
        <span className={classes.count}>
          {unread > 99 ? '99+' : unread}
          <VisuallyHidden>{t('shell.unread')}</VisuallyHidden>
        </span>
      )}
    </To>
  );
}
