/** The board's filters, and the way to a new task. */
import { Button, Pill, Select, Switch } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { openDialog } from '../../parts/dialogs';
import { FilterText } from '../../parts/list/FilterText';
import { PageHeader } from '../../parts/PageHeader';
import { usePlace } from '../../parts/place';
import { useAgents, useSnapshot } from '../../stream/hooks';
import classes from './Board.module.css';
import { NewTask } from './NewTask';
import type { BoardSearch } from './search';

interface Props {
  search: BoardSearch;
  onChange: (search: BoardSearch) => void;
}

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
    <PageHeader
      className={classes.head}
      title={
        <span className={classes.title}>
          {t('board.title')}
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
        </span>
      }
      filters={
        <>
          <Select
            size="xs"
            clearable
            searchable
            placeholder={t('board.everybody')}
            aria-label={t('board.assignee')}
            data={agents}
            value={search.assignee ?? null}
            onChange={(agent) => onChange(withFilter(search, 'assignee', agent ?? undefined))}
          />
          <FilterText
            label={t('board.words')}
            value={search.text}
            onChange={(text) => onChange(withFilter(search, 'text', text || undefined))}
            isSearch
          />
          <Switch
            size="xs"
            data-own-width
            label={t('board.lines')}
            checked={search.lines === true}
            onChange={(event) =>
              onChange(withFilter(search, 'lines', event.currentTarget.checked ? true : undefined))
            }
          />
        </>
      }
      actions={
        <Button size="xs" leftSection={<Plus size={15} />} onClick={create}>
          {t('board.new')}
        </Button>
      }
    />
  );
}
