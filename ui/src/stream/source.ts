/**
 * One connection to an office's feed: cursor, reconnect, sleep and gap detection.
 *
 * Runs in the shared worker, or in the page itself where there are no shared workers.
 */
import type { Live, Recorded, Snapshot } from '../api/types';
import { advance, type Frame, type Link, type OfficeState } from './state';

const RETRY_MS = [500, 1000, 2000, 4000, 8000, 15_000];
/** A timer that comes this late means that the machine slept. */
const SLEPT_MS = 25_000;
const TICK_MS = 5_000;

export interface Watcher {
  /** Everything so far, when the watcher joins and whenever it starts over. */
  whole(state: OfficeState): void;
  frame(frame: Frame): void;
  link(link: Link): void;
}

export class FeedSource {
  readonly office: string;
  private readonly watchers = new Set<Watcher>();
  private source: EventSource | undefined;
  private state: OfficeState | null = null;
  private link: Link = 'connecting';
  private tries = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private ticker: ReturnType<typeof setInterval> | undefined;
  private tickedAt = 0;

  constructor(office: string) {
    this.office = office;
  }

  get watched(): boolean {
    return this.watchers.size > 0;
  }

  join(watcher: Watcher): void {
    this.watchers.add(watcher);
    watcher.link(this.link);
    if (this.state !== null) watcher.whole(this.state);
    if (this.source === undefined && this.retry === undefined) this.open();
  }

  leave(watcher: Watcher): void {
    this.watchers.delete(watcher);
    if (!this.watched) this.close();
  }

  /** Connects again at once, for a page that knows the network is back. */
  nudge(): void {
    if (this.link !== 'open' && this.watched) this.open();
  }

  close(): void {
    this.drop();
    clearInterval(this.ticker);
    this.ticker = undefined;
    this.state = null;
    this.link = 'connecting';
  }

  private drop(): void {
    clearTimeout(this.retry);
    this.retry = undefined;
    this.source?.close();
    this.source = undefined;
  }

  private open(): void {
    this.drop();
    this.watchForSleep();
    const after = this.state === null ? '' : `?after=${this.state.snapshot.seq}`;
    const source = new EventSource(`/api/offices/${encodeURIComponent(this.office)}/feed${after}`);
    this.source = source;
    source.onopen = () => {
      this.tries = 0;
      this.tell('open');
    };
    source.onerror = () => this.lost();
    source.onmessage = (event) =>
      this.take({ kind: 'entry', recorded: JSON.parse(event.data) as Recorded });
    source.addEventListener('live', (event) =>
      this.take({ kind: 'live', live: JSON.parse(event.data) as Live }),
    );
    source.addEventListener('snapshot', (event) =>
      this.take({ kind: 'snapshot', snapshot: JSON.parse(event.data) as Snapshot }),
    );
    source.addEventListener('bye', () => this.lost());
  }

  private take(frame: Frame): void {
    const next = advance(this.state, frame);
    if (next === 'gap') {
      this.state = null;
      this.open();
      return;
    }
    this.state = next;
    if (frame.kind === 'snapshot' && next !== null) {
      for (const watcher of this.watchers) watcher.whole(next);
    } else {
      for (const watcher of this.watchers) watcher.frame(frame);
    }
  }

  /** The browser would come back by itself, but not after a refusal; so we always do it ourselves. */
  private lost(): void {
    this.drop();
    this.tell('lost');
    const wait = RETRY_MS[Math.min(this.tries, RETRY_MS.length - 1)] ?? 1000;
    this.tries += 1;
    this.retry = setTimeout(() => void this.tryAgain(), wait);
  }

  private async tryAgain(): Promise<void> {
    const refused = await this.refusal();
    if (!this.watched) return;
    this.retry = undefined;
    if (refused === null) this.open();
    else if (refused === 'down') this.lost();
    else this.tell(refused);
  }

  /** An EventSource does not say why it failed; a plain request does. */
  private async refusal(): Promise<Link | 'down' | null> {
    try {
      const response = await fetch(`/api/offices/${encodeURIComponent(this.office)}`);
      if (response.status === 401) return 'signed_out';
      if (response.status === 403 || response.status === 404) return 'gone';
      return response.ok ? null : 'down';
    } catch {
      return 'down';
    }
  }

  private watchForSleep(): void {
    if (this.ticker !== undefined) return;
    this.tickedAt = performance.now();
    this.ticker = setInterval(() => {
      const now = performance.now();
      const slept = now - this.tickedAt > SLEPT_MS;
      this.tickedAt = now;
      if (slept && this.watched) this.open();
    }, TICK_MS);
  }

  private tell(link: Link): void {
    this.link = link;
    for (const watcher of this.watchers) watcher.link(link);
  }
}
