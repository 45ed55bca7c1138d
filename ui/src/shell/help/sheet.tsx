/** The sheet of keyboard shortcuts, as a dialog. */
import { modals } from '@mantine/modals';
import i18next from 'i18next';
import { HelpSheet } from './HelpSheet';

export function openSheet(): void {
  modals.open({
    modalId: 'help',
    title: i18next.t('shell.shortcuts'),
    size: 'md',
    children: <HelpSheet />,
  });
}
