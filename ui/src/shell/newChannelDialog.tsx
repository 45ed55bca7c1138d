/** The form of a new channel, as a dialog. */
import { modals } from '@mantine/modals';
import i18next from 'i18next';
import { NewChannel } from './NewChannel';

export function openDialog(office: string, agents: string[]): void {
  modals.open({
    modalId: 'new-channel',
    title: i18next.t('shell.new_channel'),
    children: <NewChannel office={office} agents={agents} />,
  });
}
