/** The board's filters, and the way to a new task. */
import { Button, Group, Pill, Select, Switch, TextInput, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Plus, Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { openDialog } from '../../parts/dialogs';
import { usePlace } from '../../parts/place';
import { useAgents, useSnapshot } from '../../stream/hooks';
import classes from './Board.module.css';
import { NewTask } from './NewTask';
import type { BoardSearch } from './search';

interface Props {
  search: BoardSearch;
  onChange: (search: BoardSearch) => void;
}

const TYPING_MS = 250;

function withFilter<K extends keyof BoardSearch>(
  search: BoardSearch,
  key: K,
  value: BoardSearch[K] | undefined,
): BoardSearch {
  const { [key]: _old, ...rest } = search;
  return value === undefined ? (rest as BoardSearch) : ({ ...rest, [key]: value } as BoardSearch);
}

export function BoardFilters({ search, onChange }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const agents = Object.keys(useAgents());
  const tasks = useSnapshot((s) => s.tasks);
  const threads = useSnapshot((s) => s.threads);
  const [text, setText] = useState(search.text ?? '');
  const ask = useDebouncedCallback(
    (next: string) => onChange(withFilter(search, 'text', next.trim() || undefined)),
    TYPING_MS,
  );
  const create = () =>
    openDialog({
      modalId: 'new-task',
      title: t('board.new'),
      size: 'lg',
      children: (
        <NewTask
          office={office}
          agents={agents}
          tasks={Object.values(tasks)}
          channels={Object.values(threads)
            .filter((thread) => thread.kind === 'channel')
            .map((thread) => thread.name)}
        />
      ),
    });
  return (
    <Group className={classes.head} justify="space-between" gap="sm">
      <Group gap="md">
        <Title order={1}>{t('board.title')}</Title>
        {search.chain !== undefined && (
          <Pill
            size="md"
            withRemoveButton
            removeButtonProps={{ 'aria-label': t('board.remove_filter'), 'aria-hidden': false }}
            onRemove={() => onChange(withFilter(search, 'chain', undefined))}
          >
            {t('board.only_chain', { title: tasks[search.chain]?.title ?? search.chain })}
          </Pill>
        )}
      </Group>
      <Group gap="xs">
        <Switch
          size="xs"
          mr="xs"
          label={t('board.lines')}
          checked={search.lines === true}
          onChange={(event) =>
            onChange(withFilter(search, 'lines', event.currentTarget.checked ? true : undefined))
          }
        />
        <Select
          size="xs"
          w={140}
          clearable
          searchable
          placeholder={t('board.everybody')}
          aria-label={t('board.assignee')}
          data={agents}
          value={search.assignee ?? null}
          onChange={(agent) => onChange(withFilter(search, 'assignee', agent ?? undefined))}
        />
        <TextInput
          size="xs"
          w={160}
          leftSection={<Search size={14} />}
          placeholder={t('board.words')}
          aria-label={t('board.words')}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            ask(event.currentTarget.value);
          }}
        />
        <Button size="xs" leftSection={<Plus size={15} />} onClick={create}>
          {t('board.new')}
        </Button>
      </Group>
    </Group>
  );
}
