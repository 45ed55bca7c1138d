/** Keys that work on every page: Ctrl K finds, `g` and a letter goes somewhere, `?` shows them all. */
import { useEffect, useRef } from 'react';
import { threadPath } from '../parts/paths';
import { usePlace } from '../parts/place';
import { useGo } from '../parts/To';
import { useStore } from '../stream/hooks';
import { unreadOf } from '../stream/unread';
import { openHelp } from './help/help';
import { NAV } from './nav';
import { openPalette } from './palette/palette';

/** Milliseconds between the two keys. */
const PATIENCE_MS = 1200;

/** Works while typing, too. */
const isCommandK = (event: KeyboardEvent) =>
  (event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === 'k';

const isOurs = (event: KeyboardEvent) =>
  !(event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target));

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, select, [role=dialog]') !== null);

export function Shortcuts() {
  const go = useGo();
  const store = useStore();
  const { office, person } = usePlace();
  const handle = useRef<(event: KeyboardEvent) => void>(() => {});
  const armedAt = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    const firstUnread = (): string | undefined => {
      const { threads = {}, reads = {} } = store.state?.snapshot ?? {};
      const thread = Object.values(threads).find(
        (t) =>
          (t.kind === 'channel' || (t.kind === 'dm' && t.person === person)) &&
          unreadOf(reads, t, person) > 0,
      );
      return thread && threadPath(office, thread);
    };
    const goBy = (event: KeyboardEvent) => {
      const to =
        event.key === 'm'
          ? firstUnread()
          : NAV.find((entry) => entry.letter === event.key)?.path(office);
      if (to === undefined) return;
      event.preventDefault();
      go(to);
    };
    const press = (event: KeyboardEvent) => {
      if (event.key === '?') openHelp();
      else if (event.key === 'g') armedAt.current = event.timeStamp;
      else if (event.timeStamp - armedAt.current < PATIENCE_MS) {
        armedAt.current = Number.NEGATIVE_INFINITY;
        goBy(event);
      }
    };
    handle.current = (event) => {
      if (isCommandK(event)) {
        event.preventDefault();
        openPalette();
      } else if (isOurs(event)) press(event);
    };
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handle.current(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return null;
}
