/** Finds the place in the ledger of a moment in office time. */
import { officePath, request } from './client';
import type { Page, Recorded } from './types';

async function entryBefore(office: string, seq: number): Promise<Recorded | undefined> {
  const page = await request<Page<Recorded>>(officePath(office, 'ledger'), {
    query: { before: seq, limit: 1 },
  });
  return page.items[0];
}

/**
 * The sequence number of the last entry at or before a moment, between 1 and `last`; found by halving.
 *
 * @param atMs Office time in milliseconds since the epoch.
 * @throws Problem when the server refuses.
 */
export async function seqAt(office: string, atMs: number, last: number): Promise<number> {
  let low = 1;
  let high = last;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const entry = await entryBefore(office, middle + 1);
    if (entry !== undefined && Date.parse(entry.at) <= atMs) low = middle;
    else high = middle - 1;
  }
  return low;
}
