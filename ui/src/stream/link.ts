/** The page's end of the feed: through the shared worker, or directly where there is none. */
import type { FromWorker, ToWorker } from './protocol';
import { FeedSource, type Watcher } from './source';

let worker: SharedWorker | null | undefined;
const watchers = new Map<string, Set<Watcher>>();
const own = new Map<string, FeedSource>();

function hear({ data }: MessageEvent<FromWorker>): void {
  for (const watcher of watchers.get(data.office) ?? []) {
    if (data.say === 'whole') watcher.whole(data.state);
    else if (data.say === 'frame') watcher.frame(data.frame);
    else watcher.link(data.link);
  }
}

function theWorker(): SharedWorker | null {
  if (worker !== undefined) return worker;
  try {
    worker = new SharedWorker(new URL('./feed.worker.ts', import.meta.url), {
      type: 'module',
      name: 'dayshift-feed',
    });
    worker.port.onmessage = hear;
    listenToPage();
  } catch {
    worker = null;
  }
  return worker;
}

function say(message: ToWorker): void {
  worker?.port.postMessage(message);
}

/** A page that goes into the browser's back-forward cache must not count as a listener, and comes back as one. */
function listenToPage(): void {
  addEventListener('pagehide', () => {
    for (const office of watchers.keys()) say({ say: 'leave', office });
  });
  window.addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    for (const office of watchers.keys()) say({ say: 'join', office });
  });
}

/** Tries again at once instead of waiting for the next attempt. */
export function nudgeFeeds(): void {
  say({ say: 'nudge' });
  for (const source of own.values()) source.nudge();
}

addEventListener('online', nudgeFeeds);

/** Starts watching an office; returns how to stop. */
export function watch(office: string, watcher: Watcher): () => void {
  if (theWorker() === null) {
    const source = own.get(office) ?? new FeedSource(office);
    own.set(office, source);
    source.join(watcher);
    return () => source.leave(watcher);
  }
  const known = watchers.get(office) ?? new Set();
  watchers.set(office, known);
  known.add(watcher);
  say({ say: 'join', office });
  return () => {
    known.delete(watcher);
    if (known.size > 0) return;
    watchers.delete(office);
    say({ say: 'leave', office });
  };
}

/** Ends every connection of every tab, when the person signs out. */
export function closeFeeds(): void {
  say({ say: 'close' });
  for (const source of own.values()) source.close();
}
