/** The sheet of keyboard shortcuts, as a dialog. */
import i18next from 'i18next';
import { openDialog } from '../../parts/dialogs';
import { HelpSheet } from './HelpSheet';

export function openSheet(): void {
  openDialog({
    modalId: 'help',
    title: i18next.t('shell.shortcuts'),
    size: 'md',
    children: <HelpSheet />,
  });
}
