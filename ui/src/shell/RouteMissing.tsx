/** An address that leads nowhere. */
import { SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../parts/states/Notice';
import { To } from '../parts/To';

export function RouteMissing() {
  const { t } = useTranslation();
  return (
    <main>
      <Notice
        isPage
        icon={<SearchX size={24} />}
        title={t('shell.missing_title')}
        text={t('shell.missing_text')}
        action={<To to="/">{t('shell.missing_home')}</To>}
      />
    </main>
  );
}
