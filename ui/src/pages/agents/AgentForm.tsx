/** The form of an agent's settings. Only what was changed is sent; a refusal stands at its field. */
import { Alert, Autocomplete, Button, Group, Select, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeAgent } from '../../api/actions';
import { asProblem } from '../../api/problem';
import { promptQuery, providersQuery } from '../../api/queries';
import type { AgentView } from '../../api/types';
import { notifyDone } from '../../parts/notify';
import { usePlace } from '../../parts/place';
import { useAgents } from '../../stream/hooks';
import classes from './Agent.module.css';
import { faultsOf } from './faults';
import { managersOf, PEOPLE, whyNotUnder } from './org';

interface Props {
  agent: AgentView;
  /** Its role in the office file's words. */
  role: string;
  /** The role is longer than what is known of it here. */
  isRoleCut: boolean;
}

const THINKING = ['off', 'minimal', 'low', 'medium', 'high'] as const;
const PRIORITIES = ['idle', 'low', 'normal', 'high', 'critical'] as const;

type Fields = Record<
  'model' | 'thinking' | 'priority' | 'reports_to' | 'description' | 'prompt_inline',
  string
>;

export function AgentForm({ agent, role, isRoleCut }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const client = useQueryClient();
  const agents = useAgents();
  const providers = useQuery(providersQuery);
  const [drafts, setDrafts] = useState<Partial<Fields>>({});
  const now: Fields = {
    model: agent.model,
    thinking: agent.thinking,
    priority: agent.priority,
    reports_to: agent.reports_to,
    description: agent.description,
    prompt_inline: role,
  };
  const fields: Fields = { ...now, ...drafts };
  const keys = Object.keys(now) as (keyof Fields)[];
  const changed = keys.filter((key) => fields[key] !== now[key]);
  const save = useMutation({
    mutationFn: () =>
      changeAgent(
        office,
        agent.name,
        Object.fromEntries(changed.map((key) => [key, fields[key].trim()])),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: promptQuery(office, agent.name).queryKey });
      setDrafts({});
      notifyDone(t('agents.settings.saved'));
    },
  });
  const faults = save.error ? faultsOf(asProblem(save.error), changed) : { fields: {}, form: '' };
  const fault = (key: keyof Fields) => (faults.fields as Partial<Fields>)[key];
  const set = (change: Partial<Fields>) => {
    setDrafts({ ...drafts, ...change });
    if (save.isError) save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const managers = managersOf(agents);
  const possible = Object.keys(agents).filter(
    (name) => name !== agent.name && whyNotUnder(managers, agent.name, name) !== 'circle',
  );
  const usable = (providers.data ?? []).filter((one) => one.usable);
  return (
    <form onSubmit={submit}>
      <Text size="sm" c="dimmed" mb="md">
        {t('agents.settings.text')}
      </Text>
      {faults.form !== '' && (
        <Alert color="red" mb="md" maw={820} title={t('parts.refused')}>
          {faults.form}
        </Alert>
      )}
      <div className={classes.form}>
        <Autocomplete
          className={classes.full}
          label={t('agents.field.model')}
          description={t('agents.settings.model_text')}
          data={usable
            .filter((one) => one.models.length > 0)
            .map((one) => ({ group: one.name, items: one.models.map((model) => model.ref) }))}
          value={fields.model}
          onChange={(model) => set({ model })}
          error={fault('model')}
          maxDropdownHeight={280}
        />
        <Select
          label={t('agents.field.thinking')}
          description={t('agents.settings.thinking_text')}
          data={THINKING.map((value) => ({ value, label: t(`agents.thinking.${value}`) }))}
          value={fields.thinking}
          onChange={(thinking) => set({ thinking: thinking ?? now.thinking })}
          error={fault('thinking')}
          allowDeselect={false}
        />
        <Select
          label={t('agents.field.priority')}
          description={t('agents.settings.priority_text')}
          data={PRIORITIES.map((value) => ({ value, label: t(`agents.priority.${value}`) }))}
          value={fields.priority}
          onChange={(priority) => set({ priority: priority ?? now.priority })}
          error={fault('priority')}
          allowDeselect={false}
        />
        <Select
          label={t('agents.field.reports_to')}
          description={t('agents.settings.manager_text')}
          data={[{ value: PEOPLE, label: t('agents.people') }, ...possible]}
          value={fields.reports_to || PEOPLE}
          onChange={(box) => set({ reports_to: box === null || box === PEOPLE ? '' : box })}
          error={fault('reports_to')}
          searchable
          allowDeselect={false}
        />
        <Textarea
          className={classes.full}
          label={t('agents.field.description')}
          description={t('agents.settings.description_text')}
          autosize
          minRows={2}
          maxRows={8}
          value={fields.description}
          onChange={(event) => set({ description: event.currentTarget.value })}
          error={fault('description')}
        />
        <Textarea
          className={classes.full}
          label={t('agents.field.prompt_inline')}
          description={t(isRoleCut ? 'agents.settings.prompt_cut' : 'agents.settings.prompt_text')}
          autosize
          minRows={5}
          maxRows={22}
          value={fields.prompt_inline}
          onChange={(event) => set({ prompt_inline: event.currentTarget.value })}
          error={fault('prompt_inline')}
          disabled={isRoleCut}
        />
      </div>
      <Group mt="lg" gap="xs">
        <Button type="submit" loading={save.isPending} disabled={changed.length === 0}>
          {t('agents.settings.save')}
        </Button>
        <Button
          variant="default"
          disabled={changed.length === 0}
          onClick={() => {
            setDrafts({});
            save.reset();
          }}
        >
          {t('agents.settings.undo')}
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {changed.length === 0
            ? t('agents.settings.nothing')
            : t('agents.settings.changed', { count: changed.length })}
        </Text>
      </Group>
    </form>
  );
}
