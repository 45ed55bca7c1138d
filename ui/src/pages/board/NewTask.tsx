/** The form of a new task. */
import {
  Button,
  Group,
  MultiSelect,
  SegmentedControl,
  Select,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createTask, type NewTask as Fields } from '../../api/actions';
import type { TaskView } from '../../api/types';
import { closeDialog } from '../../parts/dialogs';
import { notifyDone, notifyProblem } from '../../parts/notify';
import classes from './Board.module.css';
import { PRIORITIES } from './priorities';

interface Props {
  office: string;
  agents: string[];
  tasks: TaskView[];
  channels: string[];
}

const BLANK: Fields = {
  title: '',
  description: '',
  assignee: '',
  priority: 2,
  depends_on: [],
  parent: '',
  report_channel: '',
};

export function NewTask({ office, agents, tasks, channels }: Props) {
  const { t } = useTranslation();
  const [fields, setFields] = useState(BLANK);
  const set = (change: Partial<Fields>) => setFields({ ...fields, ...change });
  const { mutate, isPending } = useMutation({
    mutationFn: () => createTask(office, { ...fields, title: fields.title.trim() }),
    onSuccess: (task) => {
      closeDialog('new-task');
      notifyDone(t('board.created', { title: task.title }));
    },
    onError: notifyProblem,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  const open = tasks
    .filter((task) => task.status !== 'done' && task.status !== 'failed')
    .map((task) => ({ value: task.id, label: task.title }));
  return (
    <form onSubmit={submit}>
      <TextInput
        label={t('board.field.title')}
        value={fields.title}
        onChange={(event) => set({ title: event.currentTarget.value })}
        required
        data-autofocus
      />
      <Textarea
        mt="sm"
        label={t('board.field.description')}
        description={t('board.field.description_text')}
        autosize
        minRows={3}
        maxRows={12}
        value={fields.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <div className={classes.fields} style={{ marginTop: 12 }}>
        <Select
          label={t('board.field.assignee')}
          placeholder={t('board.nobody')}
          data={agents}
          value={fields.assignee || null}
          onChange={(assignee) => set({ assignee: assignee ?? '' })}
          searchable
          clearable
        />
        <Select
          label={t('board.field.report')}
          placeholder={t('board.nowhere')}
          data={channels}
          value={fields.report_channel || null}
          onChange={(channel) => set({ report_channel: channel ?? '' })}
          clearable
        />
        <MultiSelect
          label={t('board.field.depends_on')}
          data={open}
          value={fields.depends_on}
          onChange={(depends_on) => set({ depends_on })}
          searchable
        />
        <Select
          label={t('board.field.parent')}
          data={open}
          value={fields.parent || null}
          onChange={(parent) => set({ parent: parent ?? '' })}
          searchable
          clearable
        />
      </div>
      <Text size="sm" fw={500} mt="sm" mb={4}>
        {t('board.field.priority')}
      </Text>
      <SegmentedControl
        size="xs"
        fullWidth
        data={PRIORITIES.map((value) => ({
          value: String(value),
          label: t(`parts.priority.${value}`),
        }))}
        value={String(fields.priority)}
        onChange={(value) => set({ priority: Number(value) })}
        aria-label={t('board.field.priority')}
      />
      <Group justify="flex-end" mt="lg">
        <Button type="submit" loading={isPending} disabled={fields.title.trim() === ''}>
          {t('board.create')}
        </Button>
      </Group>
    </form>
  );
}
