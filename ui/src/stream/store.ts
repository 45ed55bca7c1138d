/** The office as this page knows it. Frames are collected and applied once per animation frame. */
import type { Recorded } from '../api/types';
import { watch } from './link';
import { advance, type Frame, type Link, type OfficeState } from './state';

/** Entries kept for pages that show what just happened; older ones are in the ledger. */
const RECENT_MAX = 5_000;
/** A hidden tab gets no animation frames, but still counts unread messages and notifies. */
const HIDDEN_FLUSH_MS = 250;

export type EntryListener = (entries: readonly Recorded[]) => void;

export class OfficeStore {
  readonly office: string;
  state: OfficeState | null = null;
  link: Link = 'connecting';
  /** Entries since this page came, oldest first. Replaced, never changed in place. */
  recent: readonly Recorded[] = [];

  private readonly listeners = new Set<() => void>();
  private readonly entryListeners = new Set<EntryListener>();
  private waiting: Frame[] = [];
  private scheduled = false;

  constructor(office: string) {
    this.office = office;
  }

  start(): () => void {
    // The animation frame that was asked for does not come any more.
    const onHide = () => {
      if (document.hidden && this.scheduled) setTimeout(() => this.flush(), HIDDEN_FLUSH_MS);
    };
    document.addEventListener('visibilitychange', onHide);
    const leave = watch(this.office, {
      whole: (state) => {
        this.waiting = [];
        this.state = state;
        this.recent = [];
        this.changed();
      },
      frame: (frame) => {
        this.waiting.push(frame);
        this.schedule();
      },
      link: (link) => {
        this.link = link;
        this.changed();
      },
    });
    return () => {
      document.removeEventListener('visibilitychange', onHide);
      leave();
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Calls back with each batch of new entries, after they have been applied. */
  onEntries(listener: EntryListener): () => void {
    this.entryListeners.add(listener);
    return () => this.entryListeners.delete(listener);
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    if (document.hidden) setTimeout(() => this.flush(), HIDDEN_FLUSH_MS);
    else requestAnimationFrame(() => this.flush());
  }

  private flush(): void {
    this.scheduled = false;
    const frames = this.waiting;
    this.waiting = [];
    const entries: Recorded[] = [];
    for (const frame of frames) {
      const before = this.state?.snapshot.seq ?? 0;
      const next = advance(this.state, frame);
      // The source behind this page watches for gaps and starts over; nothing to do here.
      if (next === 'gap' || next === null) continue;
      this.state = next;
      if (frame.kind === 'entry' && frame.recorded.seq > before) entries.push(frame.recorded);
    }
    if (entries.length > 0) {
      this.recent = [...this.recent, ...entries].slice(-RECENT_MAX);
    }
    this.changed();
    if (entries.length > 0) for (const listener of this.entryListeners) listener(entries);
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}
