/** An old message is found by going back page by page. */
import { useEffect } from 'react';
import type { Timeline } from './useTimeline';

/** Goes back until the message of that number is there; tells whether it is still on the way. */
export function useSearchBack(
  { rows, error, hasOlder, isLoadingOlder, loadOlder }: Timeline,
  target: number | undefined,
  clearedBefore: number,
): boolean {
  const oldest = rows.find((row) => row.kind === 'message')?.message.n ?? Number.POSITIVE_INFINITY;
  const isSearching =
    target !== undefined && target >= clearedBefore && target < oldest && hasOlder;
  useEffect(() => {
    if (isSearching && !isLoadingOlder && error === null) loadOlder();
  }, [isSearching, isLoadingOlder, error, loadOlder]);
  return isSearching;
}
