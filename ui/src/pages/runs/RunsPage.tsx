/** All runs, newest first, with filters in the address. */
import '@mantine/core/styles.layer.css';
import { Pill, Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Footprints } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { runsQuery } from '../../api/queries';
import { FilterBar } from '../../parts/list/FilterBar';
import { PagedList } from '../../parts/list/PagedList';
import { Page } from '../../parts/Page';
import { PageHeader } from '../../parts/PageHeader';
import { usePlace } from '../../parts/place';
import { RunRows } from '../../parts/RunRows';
import { taskChoices } from '../../parts/taskChoices';
import { useAgents, useSnapshot } from '../../stream/hooks';
import { RUN_STATES, type RunsSearch } from './search';

const route = getRouteApi('/o/$office/runs/');

export function RunsPage() {
  const { t } = useTranslation();
  const { office } = usePlace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: Partial<Record<keyof RunsSearch, string>>) =>
    void navigate({ search: (old) => ({ ...old, ...next }) as RunsSearch, replace: true });
  const query = useInfiniteQuery(runsQuery(office, search));
  return (
    <Page>
      <PageHeader title={t('runs.title')} text={t('runs.text')} />
      <Filters search={search} onChange={change} />
      <PagedList
        query={query}
        problem={query.error ? asProblem(query.error) : undefined}
        icon={<Footprints size={24} />}
        empty={{ title: t('runs.empty'), text: t('runs.empty_text') }}
        filtered={
          Object.values(search).some((one) => one !== undefined)
            ? { title: t('runs.empty_filter'), clear: () => void navigate({ search: {} }) }
            : undefined
        }
      >
        {(runs) => <RunRows runs={runs} />}
      </PagedList>
    </Page>
  );
}

interface FilterProps {
  search: RunsSearch;
  onChange: (next: Partial<Record<keyof RunsSearch, string>>) => void;
}

function Filters({ search, onChange }: FilterProps) {
  const { t } = useTranslation();
  const agents = Object.keys(useAgents());
  const tasks = useSnapshot((s) => s.tasks);
  const threads = useSnapshot((s) => s.threads);
  const thread = search.thread === undefined ? undefined : threads[search.thread];
  return (
    <FilterBar>
      <Select
        size="xs"
        clearable
        searchable
        placeholder={t('runs.any_agent')}
        aria-label={t('runs.agent')}
        data={agents}
        value={search.agent ?? null}
        onChange={(agent) => onChange({ agent: agent ?? '' })}
      />
      <Select
        size="xs"
        clearable
        placeholder={t('runs.any_state')}
        aria-label={t('runs.state')}
        data={RUN_STATES.map((value) => ({ value, label: t(`parts.run.${value}`) }))}
        value={search.state ?? null}
        onChange={(state) => onChange({ state: state ?? '' })}
      />
      <Select
        size="xs"
        clearable
        searchable
        limit={60}
        placeholder={t('runs.any_task')}
        aria-label={t('runs.task')}
        data={taskChoices(tasks, search.task)}
        value={search.task ?? null}
        onChange={(task) => onChange({ task: task ?? '' })}
      />
      {search.thread !== undefined && (
        <Pill
          size="md"
          withRemoveButton
          removeButtonProps={{ 'aria-label': t('runs.remove_filter'), 'aria-hidden': false }}
          onRemove={() => onChange({ thread: '' })}
        >
          {t('runs.in_thread', { name: thread?.title || thread?.name || search.thread })}
        </Pill>
      )}
    </FilterBar>
  );
}
