/** The form of a new channel, as a dialog. */
import i18next from 'i18next';
import { openDialog } from '../parts/dialogs';
import { NewChannel } from './NewChannel';

export function showNewChannel(office: string, agents: string[]): void {
  openDialog({
    modalId: 'new-channel',
    title: i18next.t('shell.new_channel'),
    children: <NewChannel office={office} agents={agents} />,
  });
}
