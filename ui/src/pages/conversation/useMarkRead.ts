/** Tells the office that the person has seen a thread up to its last message. */
import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect } from 'react';
import { markRead } from '../../api/actions';
import type { ThreadView } from '../../api/types';
import { usePlace } from '../../parts/place';
import { useSnapshot } from '../../stream/hooks';

/** `seen`: the end of the thread is in sight. */
export function useMarkRead(thread: ThreadView, seen: boolean): void {
  const { office, person } = usePlace();
  const read = useSnapshot((s) => s.reads[`${person}/${thread.id}`] ?? 0);
  const visible = useDocumentVisibility() === 'visible';
  const { id, messages } = thread;
  useEffect(() => {
    if (!seen || !visible || messages <= read) return;
    // A refusal only leaves the badge where it is; the next message tries again.
    markRead(office, id, messages).catch(() => {});
  }, [office, id, messages, read, seen, visible]);
}
