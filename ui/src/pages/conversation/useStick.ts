/** Keeps a growing list at its end until the person scrolls away from it, and again once they come back. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

/** Pixels from the end that still count as the end. */
const NEAR_PX = 48;

/** How long a list takes to find its first place, in milliseconds. */
const SETTLE_MS = 400;

const isNearEnd = (box: HTMLElement) =>
  box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;

const AWAY_KEYS = new Set(['ArrowUp', 'PageUp', 'Home']);

export interface Stick {
  isStuck: boolean;
  /** For the element that scrolls. */
  scroller: (box: HTMLElement | Window | null) => void;
  /** Call it whenever the list may have grown. */
  grew: () => void;
  toEnd: () => void;
}

/** `free`: the list opens somewhere else than at its end. */
export function useStick(free: boolean): Stick {
  const [isStuck, setStuck] = useState(!free);
  const stuck = useRef(!free);
  const box = useRef<HTMLElement | null>(null);
  // The list first places itself; pulling at it meanwhile leaves it empty.
  const settled = useRef(false);
  const release = useRef<() => void>(undefined);

  const set = useCallback((next: boolean) => {
    if (stuck.current === next) return;
    stuck.current = next;
    setStuck(next);
  }, []);
  const isHeld = useCallback(() => stuck.current && settled.current, []);
  const toEnd = useCallback(() => {
    set(true);
    if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [set]);
  const grew = useCallback(() => {
    if (isHeld() && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [isHeld]);
  const scroller = useCallback(
    (next: HTMLElement | Window | null) => {
      release.current?.();
      box.current = next instanceof HTMLElement ? next : null;
      if (box.current !== null) release.current = listen(box.current, { set, isHeld, free });
    },
    [set, isHeld, free],
  );
  useEffect(() => {
    const timer = setTimeout(() => {
      settled.current = true;
      grew();
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      release.current?.();
    };
  }, [grew]);
  return useMemo(() => ({ isStuck, scroller, grew, toEnd }), [isStuck, scroller, grew, toEnd]);
}

interface Holder {
  set: (stuck: boolean) => void;
  isHeld: () => boolean;
  free: boolean;
}

/** Only what a person does lets go of the end; a list that measures its rows anew does not. */
function listen(box: HTMLElement, { set, isHeld, free }: Holder): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let touchedAt = 0;
  let dragging = false;
  // A list on its way to a message passes its end, which nobody has asked for.
  let moved = !free;
  const on = <K extends keyof HTMLElementEventMap>(
    kind: K,
    act: (event: HTMLElementEventMap[K]) => void,
  ) => box.addEventListener(kind, act, { passive: true, signal });

  const toEnd = () => {
    if (isHeld()) box.scrollTo(0, box.scrollHeight);
  };
  // The list tells of its growth before it is laid out; this comes after.
  const sizes = new ResizeObserver(toEnd);
  const watchSizes = () => {
    sizes.disconnect();
    for (const one of [box, ...box.querySelectorAll(':scope > *, :scope > * > *')]) {
      sizes.observe(one, { box: 'border-box' });
    }
  };
  watchSizes();
  const parts = new MutationObserver(watchSizes);
  parts.observe(box, { childList: true });
  for (const one of box.children) parts.observe(one, { childList: true });
  signal.addEventListener('abort', () => {
    sizes.disconnect();
    parts.disconnect();
  });

  on('wheel', (event) => {
    moved = true;
    if (event.deltaY < 0) set(false);
    else if (isNearEnd(box)) set(true);
  });
  on('keydown', (event) => {
    moved = true;
    if (AWAY_KEYS.has(event.key)) set(false);
  });
  on('touchstart', (event) => {
    touchedAt = event.touches[0]?.clientY ?? 0;
  });
  on('touchmove', (event) => {
    moved = true;
    if ((event.touches[0]?.clientY ?? 0) > touchedAt + 4) set(false);
  });
  // The scroll bar belongs to the box itself, its content does not.
  on('pointerdown', (event) => {
    dragging = event.target === box;
    if (!dragging) return;
    moved = true;
    set(false);
  });
  on('scroll', () => {
    if (dragging) return;
    if (moved && isNearEnd(box)) set(true);
    // The list has shifted its rows by itself: back to the end.
    else requestAnimationFrame(toEnd);
  });
  addEventListener(
    'pointerup',
    () => {
      if (dragging && isNearEnd(box)) set(true);
      dragging = false;
    },
    { signal },
  );
  return () => stop.abort();
}
