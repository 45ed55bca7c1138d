/** Calls the person: the unread count in the title, and desktop notices for what needs a person. */
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlace } from '../parts/place';
import { useGo } from '../parts/To';
import { useOffice, useOnEntries, useSnapshot } from '../stream/hooks';
import { unreadOf } from '../stream/unread';
import { NAV } from './nav';
import { noticeOf, showNotice } from './notices';

export function Attention() {
  const { t } = useTranslation();
  const go = useGo();
  const { pathname } = useLocation();
  const place = usePlace();
  const office = useOffice();
  const threads = useSnapshot((s) => s.threads);
  const reads = useSnapshot((s) => s.reads);

  const unread = Object.values(threads)
    .filter((thread) => thread.kind === 'dm' && thread.person === place.person)
    .reduce((sum, thread) => sum + unreadOf(reads, thread, place.person), 0);
  const page = NAV.find((entry) => entry.path(place.office) === pathname);
  const title = [
    ...(page ? [t(`shell.nav.${page.key}`)] : []),
    office.title || office.name,
    'Dayshift',
  ].join(' · ');
  useEffect(() => {
    document.title = unread > 0 ? `(${unread}) ${title}` : title;
  }, [unread, title]);

  useOnEntries((entries) => {
    if (!document.hidden) return;
    for (const recorded of entries) {
      const notice = noticeOf(place.office, place.person, recorded);
      if (notice !== null) {
        showNotice(t(`shell.notice.${notice.key}`, notice.values), notice, () => go(notice.to));
      }
    }
  });
  return null;
}
