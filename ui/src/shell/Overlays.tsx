/** Where dialogs and notices appear; fetched after the page. */
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';

export default function Overlays() {
  const { t } = useTranslation();
  return (
    <ModalsProvider modalProps={{ closeButtonProps: { 'aria-label': t('parts.close') } }}>
      <Notifications position="bottom-right" limit={4} />
    </ModalsProvider>
  );
}
