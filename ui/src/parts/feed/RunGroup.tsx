/** Everything one run did, under one head. */
import { Text, UnstyledButton } from '@mantine/core';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Face } from '../Face';
import { paths } from '../paths';
import { usePlace } from '../place';
import { StateBadge } from '../StateBadge';
import { TimeText } from '../TimeText';
import { To } from '../To';
import { EntryLine } from './EntryLine';
import classes from './Feed.module.css';
import type { FeedRow } from './rows';

interface Props {
  row: Extract<FeedRow, { kind: 'run' }>;
  /** Seq of the entry the address asks for. */
  marked?: number | undefined;
}

const SHOWN = 4;

export const RunGroup = memo(function RunGroup({ row, marked }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const [all, setAll] = useState(false);
  const shown = all ? row.entries : row.entries.slice(0, SHOWN);
  const hidden = row.entries.length - shown.length;
  const latest = row.entries[0];
  return (
    <article className={classes.group}>
      <div className={classes.groupHead}>
        <Face name={row.agent || '?'} size={30} />
        <div className={classes.said}>
          <Text size="sm" truncate>
            <strong>{row.agent}</strong>{' '}
            <To to={paths.run(office, row.run)} className={classes.runTitle}>
              {row.view?.title || t('feed.a_run')}
            </To>
          </Text>
        </div>
        {row.view && <StateBadge of="run" state={row.view.state} />}
        <Text size="xs" c="dimmed">
          {latest && <TimeText at={latest.at} style="clock" />}
        </Text>
      </div>
      <div className={classes.groupBody}>
        {shown.map((recorded) => (
          <EntryLine
            key={recorded.seq}
            recorded={recorded}
            inGroup
            marked={recorded.seq === marked}
          />
        ))}
        {hidden > 0 && (
          <UnstyledButton className={classes.more} onClick={() => setAll(true)}>
            {t('feed.more_steps', { count: hidden })}
          </UnstyledButton>
        )}
      </div>
    </article>
  );
});
