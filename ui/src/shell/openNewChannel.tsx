/** Opens the dialog that makes a channel. */
import { modals } from '@mantine/modals';
import i18next from 'i18next';
import { lazy, Suspense } from 'react';

const NewChannel = lazy(() => import('./NewChannel'));

export function openNewChannel(office: string, agents: string[]): void {
  modals.open({
    modalId: 'new-channel',
    title: i18next.t('shell.new_channel'),
    children: (
      <Suspense>
        <NewChannel office={office} agents={agents} />
      </Suspense>
    ),
  });
}
