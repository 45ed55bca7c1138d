/** One event as a line of the list. */
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { EventView } from '../../api/types';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { TimeText } from '../../parts/TimeText';
import { To } from '../../parts/To';
import { headAndRest } from '../../parts/text/gist';
import classes from './Events.module.css';

interface Props {
  event: EventView;
}

export function EventRow({ event }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const [head, rest] = headAndRest(event.text);
  return (
    <li className={classes.row}>
      <span className={classes.kind}>
        <span>{t(`events.sources.${event.source}`, { defaultValue: event.source })}</span>
        <Text span size="xs" c="dimmed">
          {event.type}
        </Text>
      </span>
      <div className={classes.what}>
        <To to={paths.event(office, event.id)} className={classes.link}>
          {head || event.id}
          {rest !== '' && <span className={classes.rest}> {rest}</span>}
        </To>
        <Text size="xs" c="dimmed">
          {event.id} ·{' '}
          {event.target
            ? t('events.for_agent', { agent: event.target })
            : t('events.for_all', { count: event.considered })}
          {event.by && ` · ${t('events.by', { who: event.by.replace(/^\w+:/, '') })}`}
        </Text>
      </div>
      <span className={classes.woke} data-none={event.accepted === 0 || undefined}>
        {t('events.woke', { count: event.accepted })}
      </span>
      <Text size="xs" c="dimmed" className={classes.when}>
        <TimeText at={event.at} />
      </Text>
    </li>
  );
}
