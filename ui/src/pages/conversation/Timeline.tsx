/** The rows of a conversation in a virtual list that opens at its end, or at a message, and stays at its end while it grows. */
import { Button, Loader } from '@mantine/core';
import { ArrowDown } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso';
import type { ThreadView } from '../../api/types';
import { usePlace } from '../../parts/place';
import classes from './Conversation.module.css';
import { RowView } from './RowView';
import type { Row } from './timeline';
import type { Outbox } from './useOutbox';
import { useStick } from './useStick';
import type { Timeline as Data } from './useTimeline';
import { notYetThere, type Waiting } from './waiting';

type Shown = Row | { kind: 'waiting'; key: string; waiting: Waiting };

interface Props {
  thread: ThreadView;
  data: Data;
  outbox: Outbox;
  /** Number of the message to open at, if it is there. */
  target: number | undefined;
  onEndInSight: (inSight: boolean) => void;
}

/** Virtuoso counts down from here as older rows come in above. */
const START = 1_000_000;

/** How many rows have come in above the message that was first; so the list keeps its place. */
function useFirstIndex(rows: readonly Row[]): number {
  const anchor = useRef<{ key: string; index: number; first: number }>(undefined);
  return useMemo(() => {
    const known = anchor.current;
    const at = known ? rows.findIndex((row) => row.key === known.key) : -1;
    const first = known && at >= 0 ? known.first - (at - known.index) : START;
    const index = rows.findIndex((row) => row.kind === 'message');
    const key = rows[index]?.key;
    anchor.current = key === undefined ? undefined : { key, index, first };
    return first;
  }, [rows]);
}

const AT_END = { index: 'LAST', align: 'end' } as const;

/** What stands above the first and below the last row. */
const EDGES = {
  Header: ({ context }: { context: { isLoadingOlder: boolean } }) => (
    <div style={{ minHeight: 14, textAlign: 'center' }}>
      {context.isLoadingOlder && <Loader size="xs" m={8} />}
    </div>
  ),
  Footer: () => <div style={{ height: 16 }} />,
};

const numberOf = (row: Shown) => (row.kind === 'message' ? row.message.n : 0);

export function Timeline({ thread, data, outbox, target, onEndInSight }: Props) {
  const { t } = useTranslation();
  const { person } = usePlace();
  const list = useRef<VirtuosoHandle>(null);
  const first = useFirstIndex(data.rows);
  const shown = useMemo<Shown[]>(
    () => [
      ...data.rows,
      ...notYetThere(
        outbox.waiting,
        data.rows.flatMap((row) => (row.kind === 'message' ? [row.message] : [])),
        person,
      ).map((waiting): Shown => ({ kind: 'waiting', key: waiting.key, waiting })),
    ],
    [data.rows, outbox.waiting, person],
  );
  const context = useMemo(() => ({ isLoadingOlder: data.isLoadingOlder }), [data.isLoadingOlder]);
  const posted = useMemo(
    () =>
      new Set(
        data.rows.flatMap((row) => (row.kind === 'message' ? [row.message.text.trim()] : [])),
      ),
    [data.rows],
  );
  // Where the list opens; another place would place it anew.
  const [opening] = useState(() => {
    const at = target === undefined ? -1 : shown.findIndex((row) => numberOf(row) === target);
    return at < 0 || at === shown.length - 1 ? AT_END : ({ index: at, align: 'center' } as const);
  });
  const stick = useStick(opening !== AT_END);
  const { toEnd, grew, isStuck } = stick;
  // Whoever sends a message wants to see it.
  const sent = outbox.waiting.length;
  useEffect(() => {
    if (sent > 0) toEnd();
  }, [sent, toEnd]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the rows may have grown the list
  useEffect(grew, [shown]);
  useEffect(() => onEndInSight(isStuck), [isStuck, onEndInSight]);

  return (
    <div className={classes.listBox}>
      <Virtuoso
        ref={list}
        className={classes.list}
        data={shown}
        firstItemIndex={first}
        initialTopMostItemIndex={opening}
        alignToBottom
        computeItemKey={(_, row) => row.key}
        scrollerRef={stick.scroller}
        totalListHeightChanged={grew}
        startReached={data.loadOlder}
        increaseViewportBy={{ top: 600, bottom: 300 }}
        itemContent={(_, row) => (
          <RowView row={row} thread={thread} posted={posted} outbox={outbox} target={target} />
        )}
        context={context}
        components={EDGES}
        role="log"
        aria-label={t('conversation.messages')}
        tabIndex={0}
      />
      {!isStuck && (
        <Button
          className={classes.toEnd}
          size="xs"
          radius="xl"
          leftSection={<ArrowDown size={14} />}
          onClick={() => {
            list.current?.scrollToIndex({ index: 'LAST', align: 'end' });
            toEnd();
          }}
        >
          {t('conversation.to_end')}
        </Button>
      )}
    </div>
  );
}
