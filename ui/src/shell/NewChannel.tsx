/** Name, purpose and members of a new channel. */
import { Button, Group, MultiSelect, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createChannel } from '../api/actions';
import { asProblem } from '../api/problem';
import { closeDialog } from '../parts/dialogs';
import { paths } from '../parts/paths';
import { useGo } from '../parts/To';

interface Props {
  office: string;
  agents: string[];
}

export function NewChannel({ office, agents }: Props) {
  const { t } = useTranslation();
  const go = useGo();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [members, setMembers] = useState<string[]>(agents);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => createChannel(office, { name: name.trim(), description, members }),
    onSuccess: (thread) => {
      closeDialog('new-channel');
      go(paths.channel(office, thread.name));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        label={t('shell.channel_name')}
        description={t('shell.channel_name_text')}
        value={name}
        onChange={(event) =>
          setName(event.currentTarget.value.toLowerCase().replace(/[^a-z0-9_-]/g, '-'))
        }
        error={error ? asProblem(error).message : undefined}
        required
        data-autofocus
      />
      <TextInput
        mt="sm"
        label={t('shell.channel_description')}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <MultiSelect
        mt="sm"
        label={t('shell.channel_members')}
        data={agents}
        value={members}
        onChange={setMembers}
        searchable
        clearable
      />
      <Group justify="flex-end" mt="md">
        <Button type="submit" loading={isPending} disabled={name.trim() === ''}>
          {t('shell.channel_create')}
        </Button>
      </Group>
    </form>
  );
}
