/** The office itself: its name, what it is for, the model all agents use unless they have their own, the daily ceiling. */
import {
  Alert,
  Autocomplete,
  Button,
  Group,
  NumberInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeOffice } from '../../api/actions';
import { asProblem } from '../../api/problem';
import { providersQuery } from '../../api/queries';
import { notifyDone } from '../../parts/notify';
import { Panel } from '../../parts/Panel';
import { paths } from '../../parts/paths';
import { To } from '../../parts/To';
import { useOffice } from '../../stream/hooks';
import classes from './Settings.module.css';

interface Fields {
  title: string;
  description: string;
  model: string;
  budget_usd: number;
}

export function OfficeSection() {
  const { t } = useTranslation();
  const office = useOffice();
  const providers = useQuery(providersQuery);
  const [drafts, setDrafts] = useState<Partial<Fields>>({});
  const now: Fields = {
    title: office.title,
    description: office.description,
    model: office.model,
    budget_usd: office.budget_usd_micros / 1_000_000,
  };
  const fields = { ...now, ...drafts };
  const changed = (Object.keys(now) as (keyof Fields)[]).filter((key) => fields[key] !== now[key]);
  const save = useMutation({
    mutationFn: () =>
      changeOffice(office.name, Object.fromEntries(changed.map((key) => [key, fields[key]]))),
    onSuccess: () => {
      setDrafts({});
      notifyDone(t('settings.saved'));
    },
  });
  const set = (change: Partial<Fields>) => {
    setDrafts({ ...drafts, ...change });
    if (save.isError) save.reset();
  };
  const problem = save.error ? asProblem(save.error) : undefined;
  const why = problem && [problem.message, problem.hint].filter(Boolean).join(' ');
  const only = changed.length === 1 && problem?.status === 422 ? changed[0] : undefined;
  const fault = (key: keyof Fields) =>
    problem?.errors.find((one) => one.field === `$.${key}`)?.message ??
    (only === key ? why : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Panel title={t('settings.section.office')}>
      <form onSubmit={submit} className={classes.form}>
        {office.rehearsal && (
          <Alert color="dawn" title={t('settings.rehearsal_title')}>
            {t('settings.rehearsal_text')}{' '}
            <To to={paths.settings(office.name, 'providers')}>{t('settings.see_providers')}</To>
          </Alert>
        )}
        {problem && only === undefined && (
          <Alert color="red" title={t('parts.refused')}>
            {why}
          </Alert>
        )}
        <TextInput
          label={t('settings.office.title')}
          value={fields.title}
          onChange={(event) => set({ title: event.currentTarget.value })}
          error={fault('title')}
        />
        <Textarea
          label={t('settings.office.description')}
          description={t('settings.office.description_text')}
          autosize
          minRows={3}
          maxRows={10}
          value={fields.description}
          onChange={(event) => set({ description: event.currentTarget.value })}
          error={fault('description')}
        />
        <Autocomplete
          label={t('settings.office.model')}
          description={t('settings.office.model_text')}
          data={(providers.data ?? [])
            .filter((one) => one.usable && one.models.length > 0)
            .map((one) => ({ group: one.name, items: one.models.map((model) => model.ref) }))}
          value={fields.model}
          onChange={(model) => set({ model })}
          error={fault('model')}
        />
        <NumberInput
          label={t('settings.office.budget')}
          description={t('settings.office.budget_text')}
          prefix="$"
          min={0}
          decimalScale={2}
          className={classes.amount}
          value={fields.budget_usd}
          onChange={(value) => set({ budget_usd: Number(value) || 0 })}
          error={fault('budget_usd')}
        />
        <Group gap="xs">
          <Button type="submit" loading={save.isPending} disabled={changed.length === 0}>
            {t('settings.save')}
          </Button>
          <Button
            variant="default"
            disabled={changed.length === 0}
            onClick={() => {
              setDrafts({});
              save.reset();
            }}
          >
            {t('settings.undo')}
          </Button>
          <Text size="sm" c="dimmed" role="status">
            {changed.length === 0 ? t('settings.nothing') : ''}
          </Text>
        </Group>
      </form>
    </Panel>
  );
}
