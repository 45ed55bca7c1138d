/** Purpose and members of a channel. */
import { Button, Group, MultiSelect, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeChannel } from '../../api/actions';
import type { ThreadView } from '../../api/types';
import { closeDialog } from '../../parts/dialogs';
import { notifyProblem } from '../../parts/notify';

interface Props {
  office: string;
  thread: ThreadView;
  agents: string[];
}

export function ChannelForm({ office, thread, agents }: Props) {
  const { t } = useTranslation();
  const [description, setDescription] = useState(thread.description);
  const [members, setMembers] = useState(thread.members);
  const { mutate, isPending } = useMutation({
    mutationFn: () => changeChannel(office, thread.name, { description, members }),
    onSuccess: () => closeDialog('channel'),
    onError: notifyProblem,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        label={t('conversation.channel_purpose')}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        data-autofocus
      />
      <MultiSelect
        mt="sm"
        label={t('conversation.members')}
        data={agents}
        value={members}
        onChange={setMembers}
        searchable
      />
      <Group justify="flex-end" mt="md">
        <Button type="submit" loading={isPending}>
          {t('conversation.save')}
        </Button>
      </Group>
    </form>
  );
}
