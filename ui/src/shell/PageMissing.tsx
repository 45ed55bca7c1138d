/** A page that is not there, in the room that a page has. */
import { SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../parts/states/Notice';
import { To } from '../parts/To';

export function PageMissing() {
  const { t } = useTranslation();
  return (
    <Notice
      isPage
      icon={<SearchX size={24} />}
      title={t('shell.missing_title')}
      text={t('shell.missing_text')}
      action={<To to="/">{t('shell.missing_home')}</To>}
    />
  );
}
