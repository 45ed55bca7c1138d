/** The ledger page by page, with what happens now in front of it. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ledgerQuery } from '../../api/queries';
import type { Recorded } from '../../api/types';
import { type FeedRow, feedRows } from '../../parts/feed/rows';
import { usePlace } from '../../parts/place';
import { useRecentEntries, useStore } from '../../stream/hooks';
import { isLoud, isShown, kindsOf } from './filter';
import type { FeedSearch } from './search';

export interface Feed {
  rows: FeedRow[];
  isPending: boolean;
  error: Error | null;
  refetch: () => void;
  loadOlder: () => void;
  isEnd: boolean;
}

export function useFeed(search: FeedSearch): Feed {
  const { office, zone } = usePlace();
  const store = useStore();
  // The ledger is read up to the moment the page was opened; later entries come by the stream.
  const [opened] = useState(() => store.state?.snapshot.seq ?? 0);
  const upTo = search.at ?? opened;
  const kinds = kindsOf(search);
  const { agent, run, task, text } = search;
  const filter = {
    agent,
    run,
    task,
    text,
    kind: kinds === null ? undefined : [...kinds].join(','),
  };
  const query = useInfiniteQuery(ledgerQuery(office, filter, upTo));
  const recent = useRecentEntries();

  const entries = useMemo(() => {
    const past = (query.data?.pages ?? [])
      .flatMap((page) => page.items)
      .filter((recorded) => isLoud(recorded, search));
    const live: Recorded[] =
      search.at === undefined
        ? recent.filter((recorded) => recorded.seq > upTo && isShown(recorded, search)).reverse()
        : [];
    return [...live, ...past];
  }, [query.data, recent, search, upTo]);
  const rows = useMemo(
    () => feedRows(entries, { grouped: search.flat !== true, zone }),
    [entries, search.flat, zone],
  );
  return {
    rows,
    isPending: query.isPending,
    error: query.error,
    refetch: () => void query.refetch(),
    loadOlder: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
    },
    isEnd: !query.hasNextPage,
  };
}
