/** The sheet of keyboard shortcuts. */
import { modals } from '@mantine/modals';
import i18next from 'i18next';
import { HelpSheet } from './HelpSheet';

export function openHelp(): void {
  modals.open({
    modalId: 'help',
    title: i18next.t('shell.shortcuts'),
    size: 'md',
    children: <HelpSheet />,
  });
}
