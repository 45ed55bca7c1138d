/** On a narrow screen the board opens where its first cards are, not before empty columns. */
import { type RefObject, useEffect } from 'react';

/** `isShown` says whether there are columns at all. */
export function useFirstCards(board: RefObject<HTMLElement | null>, isShown: boolean): void {
  useEffect(() => {
    const row = board.current;
    const first = row?.querySelector<HTMLElement>('section:not([data-empty])');
    if (!isShown || !row || !first) return;
    const isInSight = first.offsetLeft + first.offsetWidth <= row.scrollLeft + row.clientWidth;
    if (!isInSight) row.scrollLeft = first.offsetLeft - (row.clientWidth - first.offsetWidth) / 2;
  }, [board, isShown]);
}
