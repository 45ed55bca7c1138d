/** Opens the sheet of keyboard shortcuts. */
import { modals } from '@mantine/modals';
import i18next from 'i18next';
import { lazy, Suspense } from 'react';

const HelpSheet = lazy(() => import('./HelpSheet'));

export function openHelp(): void {
  modals.open({
    modalId: 'help',
    title: i18next.t('shell.shortcuts'),
    size: 'md',
    children: (
      <Suspense>
        <HelpSheet />
      </Suspense>
    ),
  });
}
