/** Connects everything below it to one office's feed. */
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { officeKey } from '../api/queries';
import { StoreContext } from './hooks';
import { patchQueries } from './patch';
import { OfficeStore } from './store';

interface Props {
  office: string;
  children: ReactNode;
}

/** Give it `key={office}`: another office is another feed. */
export function OfficeFeed({ office, children }: Props) {
  const client = useQueryClient();
  const [store] = useState(() => new OfficeStore(office));
  useEffect(() => {
    let seen = false;
    const stop = store.start();
    const unpatch = store.onEntries((entries) => patchQueries(client, office, entries));
    // After a new start the fetched answers may have missed entries.
    const unwatch = store.subscribe(() => {
      if (store.recent.length > 0) seen = true;
      else if (seen) {
        seen = false;
        void client.invalidateQueries({ queryKey: officeKey(office) });
      }
    });
    return () => {
      stop();
      unpatch();
      unwatch();
    };
  }, [store, client, office]);
  return <StoreContext value={store}>{children}</StoreContext>;
}
