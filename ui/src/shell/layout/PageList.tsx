/** The office's pages. */
import { useTranslation } from 'react-i18next';
import { usePlace } from '../../parts/place';
import { NAV } from '../nav';
import { SideItem } from './SideItem';

export function PageList() {
  const { t } = useTranslation();
  const { office } = usePlace();
  return (
    <nav aria-label={t('shell.pages')}>
      {NAV.map((entry) => (
        <SideItem
          key={entry.key}
          to={entry.path(office)}
          icon={<entry.icon size={17} />}
          label={t(`shell.nav.${entry.key}`)}
          deep={entry.key !== 'home'}
          tour={`nav-${entry.key}`}
        />
      ))}
    </nav>
  );
}
