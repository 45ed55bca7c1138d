/** Signed in, but there is no office yet. */
import { Building2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Empty } from '../parts/states/Empty';

export function NoOffice() {
  const { t } = useTranslation();
  return (
    <main>
      <Empty
        isPage
        icon={<Building2 size={24} />}
        title={t('shell.no_office_title')}
        text={t('shell.no_office_text')}
      />
    </main>
  );
}
