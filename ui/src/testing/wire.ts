/** The samples that cross between server and browser, as the server wrote them. */
import type { Live, Recorded, Snapshot } from '../api/types';

const entryFiles = import.meta.glob<Recorded>('../../../wire/entries/*.json', {
  eager: true,
  import: 'default',
});
const liveFiles = import.meta.glob<Live>('../../../wire/live/*.json', {
  eager: true,
  import: 'default',
});
const snapshots = import.meta.glob<Snapshot>('../../../wire/snapshot*.json', {
  eager: true,
  import: 'default',
});

/** One of every kind, in the order of their sequence numbers. */
export const ENTRIES: readonly Recorded[] = Object.values(entryFiles).sort((a, b) => a.seq - b.seq);
export const LIVE: readonly Live[] = Object.values(liveFiles);

function snapshot(name: string): Snapshot {
  const found = snapshots[`../../../wire/${name}.json`];
  if (found === undefined) throw new Error(`wire/${name}.json is missing`);
  return structuredClone(found);
}

export const before = (): Snapshot => snapshot('snapshot');
export const after = (): Snapshot => snapshot('snapshot-after');
