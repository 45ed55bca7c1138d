/** Everything that happened, newest first, and how many agents it woke. */
import '@mantine/core/styles.layer.css';
import { Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Radio } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { eventsQuery } from '../../api/queries';
import { FilterBar } from '../../parts/list/FilterBar';
import { FilterText } from '../../parts/list/FilterText';
import { PagedList } from '../../parts/list/PagedList';
import { Page } from '../../parts/Page';
import { PageHeader } from '../../parts/PageHeader';
import { usePlace } from '../../parts/place';
import { useAgents } from '../../stream/hooks';
import { EventRow } from './EventRow';
import classes from './Events.module.css';
import { PublishButton } from './Publish';
import { type EventsSearch, SOURCES } from './search';

const route = getRouteApi('/o/$office/events/');

export function EventsPage() {
  const { t } = useTranslation();
  const { office } = usePlace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(eventsQuery(office, { ...search }));
  return (
    <Page>
      <PageHeader title={t('events.title')} text={t('events.text')} actions={<PublishButton />} />
      <Filters
        search={search}
        onChange={(next) =>
          void navigate({ search: (old) => ({ ...old, ...next }), replace: true })
        }
      />
      <PagedList
        query={query}
        problem={query.error ? asProblem(query.error) : undefined}
        icon={<Radio size={24} />}
        empty={{ title: t('events.empty'), text: t('events.empty_text') }}
        filtered={
          Object.values(search).some((one) => one !== undefined)
            ? { title: t('events.empty_filter'), clear: () => void navigate({ search: {} }) }
            : undefined
        }
      >
        {(events) => (
          <ul className={classes.list}>
            {events.map((event) => (
              <EventRow key={event.id} event={event} />
            ))}
          </ul>
        )}
      </PagedList>
    </Page>
  );
}

interface FilterProps {
  search: EventsSearch;
  onChange: (next: Partial<EventsSearch>) => void;
}

function Filters({ search, onChange }: FilterProps) {
  const { t } = useTranslation();
  const agents = Object.keys(useAgents());
  return (
    <FilterBar>
      <Select
        size="xs"
        clearable
        placeholder={t('events.any_source')}
        aria-label={t('events.source')}
        data={SOURCES.map((value) => ({ value, label: t(`events.sources.${value}`) }))}
        value={search.source ?? null}
        onChange={(source) => onChange({ source: source ?? '' })}
      />
      <FilterText
        key={`t${search.type ?? ''}`}
        label={t('events.type')}
        value={search.type}
        onChange={(type) => onChange({ type })}
      />
      <Select
        size="xs"
        clearable
        searchable
        placeholder={t('events.any_agent')}
        aria-label={t('events.agent')}
        data={agents}
        value={search.agent ?? null}
        onChange={(agent) => onChange({ agent: agent ?? '' })}
      />
      <FilterText
        key={`w${search.text ?? ''}`}
        label={t('events.words')}
        value={search.text}
        onChange={(text) => onChange({ text })}
        isSearch
      />
    </FilterBar>
  );
}
