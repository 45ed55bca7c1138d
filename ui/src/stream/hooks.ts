/** How pages read the office: small selections, so that a page redraws only when its own part changed. */
import { createContext, useContext, useEffect, useRef, useSyncExternalStore } from 'react';
import type { AgentView, OfficeView, Recorded, RunView, Snapshot } from '../api/types';
import type { LiveRun } from './live';
import type { Link } from './state';
import type { EntryListener, OfficeStore } from './store';

export const StoreContext = createContext<OfficeStore | null>(null);

export function useStore(): OfficeStore {
  const store = useContext(StoreContext);
  if (store === null) throw new Error('this page is not inside an office');
  return store;
}

/** The name of the office this page shows. */
export const useOfficeName = (): string => useStore().office;

/**
 * A selection of the snapshot. It must return a part of the snapshot, or a primitive; to compute lists from it, use
 * useMemo on the selected parts.
 */
export function useSnapshot<T>(select: (snapshot: Snapshot) => T): T {
  const store = useStore();
  return useSyncExternalStore(store.subscribe, () => {
    if (store.state === null) throw new Error('the office has not been loaded');
    return select(store.state.snapshot);
  });
}

export const useOffice = (): OfficeView => useSnapshot((s) => s.office);
export const useAgents = (): Record<string, AgentView> => useSnapshot((s) => s.agents);
export const useAgent = (name: string): AgentView | undefined => useSnapshot((s) => s.agents[name]);
export const useOpenRun = (id: string): RunView | undefined => useSnapshot((s) => s.runs[id]);

/** Whether the first snapshot has arrived. */
export function useIsLoaded(): boolean {
  const store = useStore();
  return useSyncExternalStore(store.subscribe, () => store.state !== null);
}

export function useLink(): Link {
  const store = useStore();
  return useSyncExternalStore(store.subscribe, () => store.link);
}

/** What a run is writing right now; undefined between turns. */
export function useLiveRun(run: string): LiveRun | undefined {
  const store = useStore();
  return useSyncExternalStore(store.subscribe, () => store.state?.live.runs[run]);
}

/** All runs that are writing right now. */
export function useLiveRuns(): Readonly<Record<string, LiveRun>> | undefined {
  const store = useStore();
  return useSyncExternalStore(store.subscribe, () => store.state?.live.runs);
}

/** Output so far of a running call. */
export function useLiveOutput(call: string): string | undefined {
  const store = useStore();
  return useSyncExternalStore(store.subscribe, () => store.state?.live.calls[call]);
}

/** Entries since this page came, oldest first. */
export function useRecentEntries(): readonly Recorded[] {
  const store = useStore();
  return useSyncExternalStore(store.subscribe, () => store.recent);
}

/** Calls back with each batch of new entries; the latest function is the one called. */
export function useOnEntries(listener: EntryListener): void {
  const store = useStore();
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => store.onEntries((entries) => latest.current(entries)), [store]);
}
