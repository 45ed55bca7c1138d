/** Everything that happened, newest first, and how many agents it woke. */
import '@mantine/core/styles.layer.css';
import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Radio, Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { eventsQuery } from '../../api/queries';
import { Page } from '../../parts/Page';
import { PageHeader } from '../../parts/PageHeader';
import { usePlace } from '../../parts/place';
import { Empty } from '../../parts/states/Empty';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { useAgents } from '../../stream/hooks';
import { EventRow } from './EventRow';
import classes from './Events.module.css';
import { PublishButton } from './Publish';
import { type EventsSearch, SOURCES } from './search';

const route = getRouteApi('/o/$office/events/');
const TYPING_MS = 300;

export function EventsPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const agents = Object.keys(useAgents());
  const change = (next: Partial<EventsSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  return (
    <Page>
      <PageHeader title={t('events.title')} text={t('events.text')} actions={<PublishButton />} />
      <Group gap="xs" mb="sm">
        <Select
          size="xs"
          w={140}
          clearable
          placeholder={t('events.any_source')}
          aria-label={t('events.source')}
          data={SOURCES.map((value) => ({ value, label: t(`events.sources.${value}`) }))}
          value={search.source ?? null}
          onChange={(source) => change({ source: source ?? '' })}
        />
        <Typed
          key={`t${search.type ?? ''}`}
          label={t('events.type')}
          value={search.type}
          onChange={(type) => change({ type })}
        />
        <Select
          size="xs"
          w={160}
          clearable
          searchable
          placeholder={t('events.any_agent')}
          aria-label={t('events.agent')}
          data={agents}
          value={search.agent ?? null}
          onChange={(agent) => change({ agent: agent ?? '' })}
        />
        <Typed
          key={`w${search.text ?? ''}`}
          label={t('events.words')}
          value={search.text}
          onChange={(text) => change({ text })}
          isSearch
        />
      </Group>
      <List search={search} onClear={() => void navigate({ search: {} })} />
    </Page>
  );
}

interface TypedProps {
  label: string;
  value: string | undefined;
  onChange: (value: string) => void;
  isSearch?: boolean;
}

function Typed({ label, value, onChange, isSearch = false }: TypedProps) {
  const [text, setText] = useState(value ?? '');
  const ask = useDebouncedCallback((next: string) => onChange(next.trim()), TYPING_MS);
  return (
    <TextInput
      size="xs"
      w={isSearch ? 190 : 130}
      leftSection={isSearch ? <Search size={14} /> : undefined}
      placeholder={label}
      aria-label={label}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        ask(event.currentTarget.value);
      }}
    />
  );
}

function List({ search, onClear }: { search: EventsSearch; onClear: () => void }) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const query = useInfiniteQuery(eventsQuery(office, { ...search }));
  if (query.isPending) return <Loading rows={10} />;
  if (query.error) {
    return <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />;
  }
  const events = query.data.pages.flatMap((page) => page.items);
  if (events.length === 0) {
    const isFiltered = Object.keys(search).length > 0;
    return (
      <Empty
        icon={<Radio size={24} />}
        title={t(isFiltered ? 'events.empty_filter' : 'events.empty')}
        text={isFiltered ? undefined : t('events.empty_text')}
        action={
          isFiltered && (
            <Button size="xs" variant="default" onClick={onClear}>
              {t('events.clear')}
            </Button>
          )
        }
      />
    );
  }
  return (
    <>
      <ul className={classes.list}>
        {events.map((event) => (
          <EventRow key={event.id} event={event} />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button
          mt="sm"
          size="xs"
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('events.older')}
        </Button>
      )}
    </>
  );
}
