/** What a page knows of its office while nobody looks at it. Demanded by: PLAT-3, PLAT-5. */
import { expect, test, vi } from 'vitest';
import { before, ENTRIES } from '../testing/wire';
import { OfficeStore } from './store';

/** The browser's end of the feed. */
class Feed {
  static last: Feed;
  readonly heard = new Map<string, (event: { data: string }) => void>();
  onmessage: (event: { data: string }) => void = () => {};

  constructor() {
    Feed.last = this;
  }
  addEventListener(name: string, listener: (event: { data: string }) => void) {
    this.heard.set(name, listener);
  }
  close() {}
}

test('what came in the moment the page was hidden is told without an animation frame', async () => {
  vi.stubGlobal('EventSource', Feed);
  vi.stubGlobal('SharedWorker', undefined);
  vi.stubGlobal('requestAnimationFrame', () => 0);
  const store = new OfficeStore('acme');
  const stop = store.start();
  Feed.last.heard.get('snapshot')?.({ data: JSON.stringify(before()) });
  const told = new Promise((resolve) => store.onEntries(resolve));

  const next = { ...ENTRIES[0], seq: before().seq + 1 };
  Feed.last.onmessage({ data: JSON.stringify(next) });
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  document.dispatchEvent(new Event('visibilitychange'));
  await expect(told).resolves.toEqual([next]);
  stop();
  vi.unstubAllGlobals();
});
