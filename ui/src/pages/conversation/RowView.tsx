/** Draws a row of a conversation by its kind. */
import { useTranslation } from 'react-i18next';
import type { ThreadView } from '../../api/types';
import { usePlace } from '../../parts/place';
import { dayName } from '../../parts/text/time';
import classes from './Conversation.module.css';
import { MessageRow } from './MessageRow';
import { RunRow } from './RunRow';
import { RunsRow } from './RunsRow';
import type { Row } from './timeline';
import type { Outbox } from './useOutbox';
import { WaitingRow } from './WaitingRow';
import type { Waiting } from './waiting';

interface Props {
  row: Row | { kind: 'waiting'; key: string; waiting: Waiting };
  thread: ThreadView;
  posted: ReadonlySet<string>;
  outbox: Outbox;
  target: number | undefined;
}

export function RowView({ row, thread, posted, outbox, target }: Props) {
  return <div className={classes.row}>{content({ row, thread, posted, outbox, target })}</div>;
}

function content({ row, thread, posted, outbox, target }: Props) {
  switch (row.kind) {
    case 'day':
      return <DayRule at={row.at} />;
    case 'new':
      return <NewRule />;
    case 'message':
      return (
        <MessageRow message={row.message} headed={row.headed} marked={row.message.n === target} />
      );
    case 'run':
      return <RunRow run={row.run} posted={posted} stoppable={thread.kind !== 'internal'} />;
    case 'runs':
      return <RunsRow runs={row.runs} posted={posted} />;
    case 'waiting':
      return <WaitingRow waiting={row.waiting} outbox={outbox} />;
  }
}

function DayRule({ at }: { at: number }) {
  const { i18n } = useTranslation();
  const { zone } = usePlace();
  return <div className={classes.rule}>{dayName(at, { language: i18n.language, zone })}</div>;
}

function NewRule() {
  const { t } = useTranslation();
  return (
    <div className={classes.rule} data-new>
      {t('conversation.new')}
    </div>
  );
}
