/** Opening the command palette from anywhere; it is fetched when it is first wanted. */
import { useSyncExternalStore } from 'react';

let isWanted = false;
let open: (() => void) | undefined;
const listeners = new Set<() => void>();

export function openPalette(): void {
  isWanted = true;
  open?.();
  for (const listener of listeners) listener();
}

/** The palette says how it is opened, once it is there. */
export function onPaletteOpen(opener: () => void): void {
  open = opener;
}

/** Whether it has been asked for. */
export function usePaletteWanted(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isWanted,
  );
}
