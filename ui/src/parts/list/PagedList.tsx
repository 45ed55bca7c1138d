/** A list that comes page by page: loading, failed, empty, filtered to nothing, and the way to older ones. */
import { Button } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty } from '../states/Empty';
import { Failure } from '../states/Failure';
import { Loading } from '../states/Loading';

/** What the list needs of a query that is fetched page by page. */
interface Pages<T> {
  data: { pages: readonly { items: readonly T[] }[] } | undefined;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
}

interface Props<T> {
  query: Pages<T>;
  problem: ComponentProps<typeof Failure>['problem'] | undefined;
  icon: ReactNode;
  /** What an empty list says. */
  empty: { title: string; text: string };
  /** Given when filters are set: what is said when nothing fits them, and how they are cleared. */
  filtered: { title: string; clear: () => void } | undefined;
  children: (items: readonly T[]) => ReactNode;
}

export function PagedList<T>({ query, problem, icon, empty, filtered, children }: Props<T>) {
  const { t } = useTranslation();
  if (problem) return <Failure problem={problem} retry={() => void query.refetch()} />;
  if (query.data === undefined) return <Loading rows={10} />;
  const items = query.data.pages.flatMap((page) => page.items);
  if (items.length === 0) {
    return (
      <Empty
        icon={icon}
        title={filtered?.title ?? empty.title}
        text={filtered ? undefined : empty.text}
        action={
          filtered && (
            <Button size="xs" variant="default" onClick={filtered.clear}>
              {t('parts.clear_filters')}
            </Button>
          )
        }
      />
    );
  }
  return (
    <>
      {children(items)}
      {query.hasNextPage && (
        <Button
          mt="sm"
          size="xs"
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('parts.older')}
        </Button>
      )}
    </>
  );
}
