/// <reference lib="webworker" />
/** One EventSource for all tabs: HTTP/1.1 allows six connections per host, and each tab would hold one. */
import type { FromWorker, ToWorker } from './protocol';
import { FeedSource, type Watcher } from './source';

const sources = new Map<string, FeedSource>();

function sourceOf(office: string): FeedSource {
  let source = sources.get(office);
  if (source === undefined) {
    source = new FeedSource(office);
    sources.set(office, source);
  }
  return source;
}

function watcherFor(port: MessagePort, office: string): Watcher {
  const tell = (message: FromWorker) => port.postMessage(message);
  return {
    whole: (state) => tell({ office, say: 'whole', state }),
    frame: (frame) => tell({ office, say: 'frame', frame }),
    link: (link) => tell({ office, say: 'link', link }),
  };
}

function leave(joined: Map<string, Watcher>, office: string): void {
  const watcher = joined.get(office);
  if (watcher !== undefined) sourceOf(office).leave(watcher);
  joined.delete(office);
}

function serve(port: MessagePort): void {
  const joined = new Map<string, Watcher>();
  port.onmessage = ({ data }: MessageEvent<ToWorker>) => {
    switch (data.say) {
      case 'nudge':
        for (const source of sources.values()) source.nudge();
        return;
      case 'close':
        for (const source of sources.values()) source.close();
        return;
      case 'leave':
        leave(joined, data.office);
        return;
      case 'join': {
        leave(joined, data.office);
        const watcher = watcherFor(port, data.office);
        joined.set(data.office, watcher);
        sourceOf(data.office).join(watcher);
      }
    }
  };
}

(self as unknown as SharedWorkerGlobalScope).onconnect = (event) => {
  const port = event.ports[0];
  if (port !== undefined) serve(port);
};
