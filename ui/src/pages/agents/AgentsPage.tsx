/** Everybody who works here, as a table, as cards, or as the chart of who reports to whom. */
import '@mantine/core/styles.layer.css';
import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Search, UserSearch, Users } from 'lucide-react';
import { lazy, Suspense, useDeferredValue, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterBar } from '../../parts/list/FilterBar';
import { Page } from '../../parts/Page';
import { PageHeader } from '../../parts/PageHeader';
import { PRESENCES } from '../../parts/presence';
import { Empty } from '../../parts/states/Empty';
import { Loading } from '../../parts/states/Loading';
import { useAgents, useSnapshot } from '../../stream/hooks';
import { AgentCards } from './AgentCards';
import classes from './Agents.module.css';
import { AgentTable } from './AgentTable';
import { agentRows } from './rows';
import { AGENT_VIEWS, type AgentsSearch, type AgentsView } from './search';

const OrgChart = lazy(() => import('./OrgChart').then((m) => ({ default: m.OrgChart })));
const route = getRouteApi('/o/$office/agents/');

export function AgentsPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const agents = useAgents();
  const runs = useSnapshot((s) => s.runs);
  const items = useSnapshot((s) => s.items);
  const asked = useDeferredValue(search);
  const rows = useMemo(() => agentRows(agents, runs, items, asked), [agents, runs, items, asked]);
  const view = search.view ?? 'table';
  const count = Object.keys(agents).length;
  const change = (next: Partial<AgentsSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const header = (
    <PageHeader
      title={t('agents.title')}
      text={t('agents.text', { count, busy: rows.filter((row) => row.presence === 'busy').length })}
      actions={
        <SegmentedControl
          size="xs"
          data={AGENT_VIEWS.map((value) => ({ value, label: t(`agents.view.${value}`) }))}
          value={view}
          onChange={(next) => change({ view: next as AgentsView })}
          aria-label={t('agents.view_label')}
        />
      }
    />
  );
  if (count === 0) {
    return (
      <Page width="wide">
        {header}
        <Empty
          icon={<Users size={24} />}
          title={t('agents.nobody')}
          text={t('agents.nobody_text')}
        />
      </Page>
    );
  }
  if (view === 'chart') {
    return (
      <Page width="full">
        <div className={classes.chartHead}>{header}</div>
        <Suspense fallback={<Loading rows={8} />}>
          <OrgChart />
        </Suspense>
      </Page>
    );
  }
  return (
    <Page width="wide">
      {header}
      <FilterBar>
        <TextInput
          size="xs"
          leftSection={<Search size={14} />}
          placeholder={t('agents.words')}
          aria-label={t('agents.words')}
          value={search.text ?? ''}
          onChange={(event) => change({ text: event.currentTarget.value })}
        />
        <Select
          size="xs"
          clearable
          placeholder={t('agents.any_presence')}
          aria-label={t('agents.presence')}
          data={PRESENCES.map((value) => ({ value, label: t(`parts.presence.${value}`) }))}
          value={search.presence ?? null}
          onChange={(presence) => change({ presence: presence ?? '' })}
        />
      </FilterBar>
      {rows.length === 0 ? (
        <Empty icon={<UserSearch size={24} />} title={t('agents.empty_filter')} />
      ) : view === 'cards' ? (
        <AgentCards rows={rows} />
      ) : (
        <AgentTable rows={rows} />
      )}
    </Page>
  );
}
