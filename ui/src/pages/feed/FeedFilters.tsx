/** The feed's filters. */
import { Chip, Pill, Select, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { KIND_GROUPS, type KindGroup } from '../../parts/feed/describe';
import { FilterText } from '../../parts/list/FilterText';
import { PageHeader } from '../../parts/PageHeader';
import { taskChoices } from '../../parts/taskChoices';
import { useAgents, useSnapshot } from '../../stream/hooks';
import classes from './Feed.module.css';
import { JumpTo } from './JumpTo';
import type { FeedSearch } from './search';

interface Props {
  search: FeedSearch;
  onChange: (search: FeedSearch) => void;
}

/** The search with a filter set, or without it. */
function withFilter<K extends keyof FeedSearch>(
  search: FeedSearch,
  key: K,
  value: FeedSearch[K] | undefined,
): FeedSearch {
  const { [key]: _old, ...rest } = search;
  return value === undefined ? (rest as FeedSearch) : ({ ...rest, [key]: value } as FeedSearch);
}

export function FeedFilters({ search, onChange }: Props) {
  const { t } = useTranslation();
  const agents = Object.keys(useAgents());
  const tasks = useSnapshot((s) => s.tasks);
  const toggle = (groups: string[]) =>
    onChange(withFilter(search, 'kinds', groups.length > 0 ? (groups as KindGroup[]) : undefined));
  return (
    <div className={classes.filters}>
      <PageHeader
        className={classes.head}
        title={t('feed.title')}
        filters={
          <>
            <Select
              size="xs"
              clearable
              searchable
              placeholder={t('feed.all_agents')}
              aria-label={t('feed.agent')}
              data={agents}
              value={search.agent ?? null}
              onChange={(agent) => onChange(withFilter(search, 'agent', agent ?? undefined))}
            />
            <Select
              size="xs"
              clearable
              searchable
              limit={60}
              placeholder={t('feed.any_task')}
              aria-label={t('feed.task')}
              data={taskChoices(tasks, search.task)}
              value={search.task ?? null}
              onChange={(task) => onChange(withFilter(search, 'task', task ?? undefined))}
            />
            <FilterText
              label={t('feed.words')}
              value={search.text}
              onChange={(text) => onChange(withFilter(search, 'text', text || undefined))}
              isSearch
            />
          </>
        }
        actions={<JumpTo onJump={(at) => onChange({ ...search, at })} />}
      />
      <div className={classes.chips}>
        <Chip.Group multiple value={search.kinds ?? []} onChange={toggle}>
          {Object.keys(KIND_GROUPS).map((group) => (
            <Chip key={group} value={group} size="xs" variant="outline">
              {t(`feed.kinds.${group}`)}
            </Chip>
          ))}
        </Chip.Group>
        {search.run !== undefined && (
          <Pill
            size="md"
            withRemoveButton
            removeButtonProps={{ 'aria-label': t('feed.remove_filter'), 'aria-hidden': false }}
            onRemove={() => onChange(withFilter(search, 'run', undefined))}
          >
            {t('feed.only_run', { id: search.run })}
          </Pill>
        )}
        <span className={classes.switches}>
          <Switch
            size="xs"
            label={t('feed.grouped')}
            checked={search.flat !== true}
            onChange={(event) =>
              onChange(withFilter(search, 'flat', event.currentTarget.checked ? undefined : true))
            }
          />
          <Switch
            size="xs"
            label={t('feed.everything')}
            checked={search.all === true}
            onChange={(event) =>
              onChange(withFilter(search, 'all', event.currentTarget.checked ? true : undefined))
            }
          />
        </span>
      </div>
    </div>
  );
}
