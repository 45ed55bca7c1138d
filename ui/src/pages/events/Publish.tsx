/** Puts an event on the bus by hand: a way to try whom it wakes. */
import { Button, Group, Select, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Radio } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { publishEvent } from '../../api/actions';
import { closeDialog, openDialog } from '../../parts/dialogs';
import { notifyDone, notifyProblem } from '../../parts/notify';
import { usePlace } from '../../parts/place';
import { useAgents } from '../../stream/hooks';
import classes from './Events.module.css';
import { SOURCES } from './search';

const PRIORITIES = [1, 3, 6, 10] as const;

export function PublishButton() {
  const { t } = useTranslation();
  const { office } = usePlace();
  const agents = Object.keys(useAgents());
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Radio size={14} />}
      onClick={() =>
        openDialog({
          modalId: 'publish',
          title: t('events.publish'),
          children: <PublishForm office={office} agents={agents} />,
        })
      }
    >
      {t('events.publish')}
    </Button>
  );
}

interface Props {
  office: string;
  agents: string[];
}

function PublishForm({ office, agents }: Props) {
  const { t } = useTranslation();
  const [fields, setFields] = useState({
    source: 'person',
    type: 'note',
    text: '',
    target: '',
    priority: 3,
  });
  const set = (change: Partial<typeof fields>) => setFields({ ...fields, ...change });
  const publish = useMutation({
    mutationFn: () => {
      const { target, ...rest } = fields;
      return publishEvent(office, target === '' ? rest : { ...rest, target });
    },
    onSuccess: () => {
      closeDialog('publish');
      notifyDone(t('events.published'));
    },
    onError: notifyProblem,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    publish.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Textarea
        label={t('events.event_text')}
        description={t('events.event_text_hint')}
        autosize
        minRows={3}
        required
        value={fields.text}
        onChange={(event) => set({ text: event.currentTarget.value })}
        data-autofocus
      />
      <div className={classes.fields}>
        <Select
          label={t('events.source')}
          data={SOURCES.map((value) => ({ value, label: t(`events.sources.${value}`) }))}
          value={fields.source}
          onChange={(source) => set({ source: source ?? 'person' })}
          allowDeselect={false}
        />
        <TextInput
          label={t('events.type')}
          required
          value={fields.type}
          onChange={(event) => set({ type: event.currentTarget.value })}
        />
        <Select
          label={t('events.target')}
          placeholder={t('events.everybody')}
          data={agents}
          value={fields.target || null}
          onChange={(target) => set({ target: target ?? '' })}
          searchable
          clearable
        />
        <Select
          label={t('events.priority')}
          data={PRIORITIES.map((value) => ({
            value: String(value),
            label: t(`events.priorities.${value}`),
          }))}
          value={String(fields.priority)}
          onChange={(value) => set({ priority: Number(value ?? 3) })}
          allowDeselect={false}
        />
      </div>
      <Group justify="flex-end" mt="lg">
        <Button type="submit" loading={publish.isPending} disabled={fields.text.trim() === ''}>
          {t('events.publish_go')}
        </Button>
      </Group>
    </form>
  );
}
