/** Where dialogs and notices appear; fetched when there is the first one to show. */
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { dialogsAreReady } from '../parts/dialogs';

export default function Overlays() {
  const { t } = useTranslation();
  useEffect(dialogsAreReady, []);
  return (
    <ModalsProvider modalProps={{ closeButtonProps: { 'aria-label': t('parts.close') } }}>
      <Notifications position="bottom-right" limit={4} />
    </ModalsProvider>
  );
}
