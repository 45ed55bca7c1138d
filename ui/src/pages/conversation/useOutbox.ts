/** Messages on their way: shown at once, kept when refused, sent again under the same key. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageAgent, type SendMode, sendMessage } from '../../api/actions';
import { messagesKey } from '../../api/queries';
import type { MessageView } from '../../api/types';
import { problemText } from '../../parts/notify';
import { usePlace } from '../../parts/place';
import { useStore } from '../../stream/hooks';
import { withMessage } from '../../stream/patch';
import type { Waiting } from './waiting';

/** Where messages go: a thread, or an agent with whom there is no thread yet. */
export type Target = { thread: string } | { agent: string };

export interface Outbox {
  waiting: readonly Waiting[];
  send: (text: string, mode: SendMode) => void;
  retry: (key: string) => void;
  discard: (key: string) => void;
}

export function useOutbox(target: Target): Outbox {
  const { office } = usePlace();
  const client = useQueryClient();
  const store = useStore();
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);

  const discard = (key: string) => setWaiting((all) => all.filter((one) => one.key !== key));
  const mark = (key: string, refused: string) =>
    setWaiting((all) => all.map((one) => (one.key === key ? { ...one, refused } : one)));

  const deliver = async ({ key, text, mode }: Waiting) => {
    try {
      const message = { text, mode, key };
      const sent =
        'thread' in target
          ? await sendMessage(office, target.thread, message)
          : await messageAgent(office, target.agent, message);
      keep(sent.message);
      discard(key);
    } catch (error) {
      mark(key, problemText(error));
    }
  };
  const keep = (message: MessageView) =>
    client.setQueryData<Parameters<typeof withMessage>[0]>(
      messagesKey(office, message.thread),
      (data) => withMessage(data, message),
    );

  return {
    waiting,
    send: (text, mode) => {
      const thread = 'thread' in target ? target.thread : '';
      const after = store.state?.snapshot.threads[thread]?.messages ?? 0;
      const one = { key: crypto.randomUUID(), text, mode, after, refused: '' };
      setWaiting((all) => [...all, one]);
      void deliver(one);
    },
    retry: (key) => {
      const one = waiting.find((each) => each.key === key);
      if (one === undefined) return;
      mark(key, '');
      void deliver(one);
    },
    discard,
  };
}
