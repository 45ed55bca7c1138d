/** Who is working on what at this moment. */
import { Text } from '@mantine/core';
import { Coffee } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../parts/Panel';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { To } from '../../parts/To';
import { useSnapshot } from '../../stream/hooks';
import classes from './Home.module.css';
import { NowRow } from './NowRow';

export function RightNow() {
  const { t } = useTranslation();
  const { office } = usePlace();
  const runs = Object.values(useSnapshot((s) => s.runs))
    .filter((run) => run.state === 'running')
    .sort((a, b) => a.started_at.localeCompare(b.started_at));
  return (
    <Panel
      title={t('home.now')}
      action={
        <To to={paths.feed(office)} style={{ fontSize: 13 }}>
          {t('home.see_feed')}
        </To>
      }
    >
      {runs.length === 0 ? (
        <Text size="sm" c="dimmed" className={classes.calm}>
          <Coffee size={17} aria-hidden="true" />
          {t('home.now_none')}
        </Text>
      ) : (
        <ul className={classes.list}>
          {runs.map((run) => (
            <NowRow key={run.id} run={run} />
          ))}
        </ul>
      )}
    </Panel>
  );
}
