/** Finds messages by their words, in every thread the person may read. */
import '@mantine/core/styles.layer.css';
import { Button, Chip, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Search, SearchX } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { messageSearchQuery } from '../../api/queries';
import { Page } from '../../parts/Page';
import { PageHeader } from '../../parts/PageHeader';
import { usePlace } from '../../parts/place';
import { Empty } from '../../parts/states/Empty';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { useSnapshot } from '../../stream/hooks';
import { Hit } from './Hit';
import classes from './Search.module.css';

const route = getRouteApi('/o/$office/search');
const TYPING_MS = 300;
const SHORTEST = 2;

export function SearchPage() {
  const { t } = useTranslation();
  const { text, thread: only } = route.useSearch();
  const navigate = route.useNavigate();
  const { office } = usePlace();
  const threads = useSnapshot((s) => s.threads);
  const [typed, setTyped] = useState(text);
  const asked = text.trim();
  const { data, isLoading, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({ ...messageSearchQuery(office, asked), enabled: asked.length >= SHORTEST });
  const search = useDebouncedCallback(
    (next: string) => void navigate({ search: (old) => ({ ...old, text: next }), replace: true }),
    TYPING_MS,
  );
  const hits = (data?.pages ?? [])
    .flatMap((page) => page.items)
    .filter((message) => only === undefined || message.thread === only);
  const onlyThread = only === undefined ? undefined : threads[only];
  return (
    <Page>
      <PageHeader title={t('search.title')} text={t('search.text')} />
      <TextInput
        size="md"
        leftSection={<Search size={17} />}
        aria-label={t('search.title')}
        placeholder={t('search.placeholder')}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          search(event.currentTarget.value);
        }}
        data-autofocus
        autoFocus
      />
      {onlyThread && (
        <Chip mt="sm" checked onChange={() => void navigate({ search: { text }, replace: true })}>
          {t('search.only_in', { name: onlyThread.name })}
        </Chip>
      )}
      {isLoading && <Loading rows={6} />}
      {error && <Failure problem={asProblem(error)} retry={() => void refetch()} />}
      {data && hits.length === 0 && (
        <Empty
          icon={<SearchX size={24} />}
          title={t('search.nothing')}
          text={t('search.nothing_text', { text: asked })}
        />
      )}
      {asked.length < SHORTEST && (
        <Text c="dimmed" size="sm" mt="lg">
          {t('search.hint')}
        </Text>
      )}
      <ul className={classes.hits}>
        {hits.map((message) => (
          <Hit key={message.id} message={message} thread={threads[message.thread]} words={asked} />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('search.more')}
        </Button>
      )}
    </Page>
  );
}
