/** The messages of a thread, with its states. */
import { MessagesSquare } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import type { ThreadView } from '../../api/types';
import { Empty } from '../../parts/states/Empty';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { Timeline } from './Timeline';
import { useMarkRead } from './useMarkRead';
import type { Outbox } from './useOutbox';
import { useSearchBack } from './useSearchBack';
import { useTimeline } from './useTimeline';

interface Props {
  thread: ThreadView;
  outbox: Outbox;
  target: number | undefined;
  /** What an empty thread says. */
  empty: { title: string; text: string };
}

export function ThreadBody({ thread, outbox, target, empty }: Props) {
  const { t } = useTranslation();
  const data = useTimeline(thread);
  const isSearching = useSearchBack(data, target, thread.cleared_before);
  const [endInSight, setEndInSight] = useState(true);
  useMarkRead(thread, endInSight && thread.kind !== 'internal');
  if (data.isPending || (isSearching && data.error === null)) {
    return (
      <div style={{ flex: 1 }}>
        <Loading rows={8} />
      </div>
    );
  }
  if (data.error !== null) {
    return (
      <div style={{ flex: 1 }}>
        <Failure problem={asProblem(data.error)} retry={data.refetch} />
      </div>
    );
  }
  if (data.rows.length === 0 && outbox.waiting.length === 0) {
    return (
      <div style={{ flex: 1 }}>
        <Empty
          icon={<MessagesSquare size={24} />}
          title={thread.cleared_before > 1 ? t('conversation.cleared') : empty.title}
          text={empty.text}
        />
      </div>
    );
  }
  return (
    <Timeline
      key={target ?? 'end'}
      thread={thread}
      data={data}
      outbox={outbox}
      target={target}
      onEndInSight={setEndInSight}
    />
  );
}
