/** Whether the tour is on. It starts by itself once per browser, and again when asked for. */
import { useSyncExternalStore } from 'react';

const KEPT_AT = 'dayshift.tour';

let isOn = false;
const listeners = new Set<() => void>();

function set(on: boolean): void {
  isOn = on;
  for (const listener of listeners) listener();
}

export const isTourDue = (): boolean => localStorage.getItem(KEPT_AT) === null;

export const startTour = (): void => set(true);

export function endTour(): void {
  localStorage.setItem(KEPT_AT, 'done');
  set(false);
}

export function useTour(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOn,
  );
}

/** The five stops: words `shell.tour.<key>`, and the anchor `data-tour` that is lit; none on a narrow screen. */
export const STOPS = [
  { key: 'request', anchor: 'request' },
  { key: 'agents', anchor: 'agents' },
  { key: 'feed', anchor: 'nav-feed' },
  { key: 'board', anchor: 'nav-board' },
  { key: 'pause', anchor: 'pause' },
] as const;
