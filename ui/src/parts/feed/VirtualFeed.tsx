/** The feed as a virtual list, newest first. While the reader is further down, what comes in waits above. */
import { Button } from '@mantine/core';
import { ArrowUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso';
import { usePlace } from '../place';
import { dayName } from '../text/time';
import { EntryLine } from './EntryLine';
import classes from './Feed.module.css';
import { RunGroup } from './RunGroup';
import type { FeedRow } from './rows';

interface Props {
  rows: FeedRow[];
  /** Seq of the entry to mark. */
  marked?: number | undefined;
  onEnd: () => void;
}

export function VirtualFeed({ rows, marked, onEnd }: Props) {
  const { t } = useTranslation();
  const list = useRef<VirtuosoHandle>(null);
  const [atTop, setAtTop] = useState(true);
  const [held, setHeld] = useState(rows);
  // Reading must not be pushed away by what happens now: only at the top do new rows come in.
  useEffect(() => {
    if (atTop) setHeld(rows);
    else setHeld((old) => continued(old, rows));
  }, [atTop, rows]);
  const newer = atTop ? 0 : countNewer(held, rows);
  return (
    <div className={classes.box}>
      {newer > 0 && (
        <Button
          className={classes.newer}
          size="xs"
          radius="xl"
          leftSection={<ArrowUp size={14} />}
          onClick={() => {
            setHeld(rows);
            list.current?.scrollToIndex({ index: 0 });
          }}
        >
          {t('feed.newer', { count: newer })}
        </Button>
      )}
      <Virtuoso
        ref={list}
        data={held}
        computeItemKey={(_, row) => row.key}
        atTopThreshold={80}
        atTopStateChange={setAtTop}
        endReached={onEnd}
        increaseViewportBy={400}
        itemContent={(_, row) => (
          <div className={classes.row}>
            <Row row={row} marked={marked} />
          </div>
        )}
        role="log"
        aria-live="off"
        aria-label={t('feed.title')}
        tabIndex={0}
      />
    </div>
  );
}

function Row({ row, marked }: { row: FeedRow; marked: number | undefined }) {
  const { i18n } = useTranslation();
  const { zone } = usePlace();
  if (row.kind === 'day') {
    return <h2 className={classes.day}>{dayName(row.at, { language: i18n.language, zone })}</h2>;
  }
  if (row.kind === 'run') return <RunGroup row={row} marked={marked} />;
  return <EntryLine recorded={row.recorded} marked={row.recorded.seq === marked} />;
}

/** The held rows as they are, with older ones added below. */
function continued(held: FeedRow[], rows: FeedRow[]): FeedRow[] {
  const last = held.at(-1);
  const at = last === undefined ? -1 : rows.findIndex((row) => row.key === last.key);
  return at < 0 || at === rows.length - 1 ? held : [...held, ...rows.slice(at + 1)];
}

function countNewer(held: FeedRow[], rows: FeedRow[]): number {
  const known = new Set(held.map((row) => row.key));
  return rows.filter((row) => row.kind !== 'day' && !known.has(row.key)).length;
}
