/** Who talked with whom lately, in words. */
import { Text } from '@mantine/core';
import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../parts/Panel';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { TimeText } from '../../parts/TimeText';
import { To } from '../../parts/To';
import { gist } from '../../parts/text/gist';
import { useTick } from '../../parts/useTick';
import { useSnapshot } from '../../stream/hooks';
import classes from './Floor.module.css';
import { TALK_MS } from './Picture';
import { talksOf } from './plan';

const SHOWN = 12;

export function Talks() {
  const { t } = useTranslation();
  const { office, now } = usePlace();
  useTick(30_000);
  const threads = useSnapshot((s) => s.threads);
  const talks = talksOf(threads, now(), TALK_MS);
  return (
    <div className={classes.talks}>
      <Panel title={t('floor.talks')}>
        {talks.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('floor.no_talks')}
          </Text>
        ) : (
          <ul className={classes.list}>
            {talks.slice(0, SHOWN).map(({ thread, from, to }) => (
              <li key={thread.id} className={classes.talk}>
                <To to={paths.talk(office, thread.id)} className={classes.pair}>
                  {from} <ArrowRight size={13} aria-label={t('floor.to')} /> {to}
                </To>
                <Text size="sm" truncate className={classes.said}>
                  {gist(thread.last_text)}
                </Text>
                <Text size="xs" c="dimmed">
                  {thread.last_at && <TimeText at={thread.last_at} style="ago" />}
                </Text>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </div>
  );
}
