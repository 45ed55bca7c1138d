/** Keys that work on every page: `g` and a letter goes somewhere, `?` shows them all. */
import { useEffect, useRef } from 'react';
import { threadPath } from '../parts/paths';
import { usePlace } from '../parts/place';
import { useGo } from '../parts/To';
import { useStore } from '../stream/hooks';
import { unreadOf } from '../stream/unread';
import { openHelp } from './help/help';
import { NAV } from './nav';

/** Milliseconds between the two keys. */
const PATIENCE_MS = 1200;

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
    const target = (key: string): string | undefined => {
      if (key !== 'm') return NAV.find((entry) => entry.letter === key)?.path(office);
      const snapshot = store.state?.snapshot;
      const thread = Object.values(snapshot?.threads ?? {}).find(
        (t) =>
          t.kind !== 'internal' &&
          (t.kind === 'channel' || t.person === person) &&
          unreadOf(snapshot?.reads ?? {}, t, person) > 0,
      );
      return thread && threadPath(office, thread);
    };
    handle.current = (event) => {
      if (!isOurs(event)) return;
      if (event.key === '?') return openHelp();
      if (event.key === 'g') {
        armedAt.current = event.timeStamp;
        return;
      }
      if (event.timeStamp - armedAt.current > PATIENCE_MS) return;
      armedAt.current = Number.NEGATIVE_INFINITY;
      const to = target(event.key);
      if (to === undefined) return;
      event.preventDefault();
      go(to);
    };
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handle.current(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return null;
}
