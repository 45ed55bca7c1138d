/** Something that is fetched when it is first wanted: whoever wants it says so, the shell hears it. */
import { useSyncExternalStore } from 'react';

export interface Wanted {
  want: () => void;
  /** Whether anybody ever wanted it. */
  useIsWanted: () => boolean;
}

export function makeWanted(): Wanted {
  let isWanted = false;
  const listeners = new Set<() => void>();
  const listen = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    want: () => {
      isWanted = true;
      for (const listener of listeners) listener();
    },
    useIsWanted: () => useSyncExternalStore(listen, () => isWanted),
  };
}
