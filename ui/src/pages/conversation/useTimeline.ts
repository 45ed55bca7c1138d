/** A thread's messages and the runs it woke, fetched page by page and kept live. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { messagesQuery, runsQuery } from '../../api/queries';
import type { RunView, ThreadView } from '../../api/types';
import { usePlace } from '../../parts/place';
import { useSnapshot } from '../../stream/hooks';
import { type Row, timelineRows } from './timeline';

export interface Timeline {
  rows: Row[];
  isPending: boolean;
  error: Error | null;
  refetch: () => void;
  hasOlder: boolean;
  isLoadingOlder: boolean;
  loadOlder: () => void;
}

const NO_RUNS: readonly RunView[] = [];

export function useTimeline(thread: ThreadView): Timeline {
  const { office, zone, person } = usePlace();
  const messages = useInfiniteQuery(messagesQuery(office, thread.id));
  const runs = useInfiniteQuery(runsQuery(office, { thread: thread.id }));
  const open = useSnapshot((s) => s.runs);
  const reads = useSnapshot((s) => s.reads);
  // What was unread when the page was opened stays marked while it is read.
  const [readTo] = useState(() => reads[`${person}/${thread.id}`] ?? 0);

  const allMessages = useMemo(
    () =>
      (messages.data?.pages ?? [])
        .flatMap((page) => page.items)
        .filter((message) => message.n >= thread.cleared_before),
    [messages.data, thread.cleared_before],
  );
  const allRuns = useMemo(() => {
    const fetched = runs.data?.pages.flatMap((page) => page.items) ?? NO_RUNS;
    const known = new Map(fetched.map((run) => [run.id, run]));
    for (const run of Object.values(open)) if (run.thread === thread.id) known.set(run.id, run);
    return [...known.values()];
  }, [runs.data, open, thread.id]);

  const hasMore = messages.hasNextPage;
  const rows = useMemo(() => {
    // A cleared history hides the work that led to it, too.
    const first = allMessages.at(-1)?.at ?? '9';
    const shown =
      thread.cleared_before > 1
        ? allRuns.filter((run) => run.ended_at === null || run.started_at >= first)
        : allRuns;
    return timelineRows(allMessages, shown, { zone, readTo, person, hasMore });
  }, [allMessages, allRuns, zone, readTo, person, hasMore, thread.cleared_before]);

  return {
    rows,
    // Rows that come in between would move what is being read.
    isPending: messages.isPending || runs.isPending,
    error: messages.error,
    refetch: () => void messages.refetch(),
    hasOlder: hasMore,
    isLoadingOlder: messages.isFetchingNextPage,
    loadOlder: () => {
      if (hasMore && !messages.isFetchingNextPage) void messages.fetchNextPage();
      if (runs.hasNextPage && !runs.isFetchingNextPage) void runs.fetchNextPage();
    },
  };
}
