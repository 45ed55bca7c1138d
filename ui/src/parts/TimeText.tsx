/** A moment in the office's zone; the person's own on hover. */
import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePlace } from './place';
import { ago, clockTime, fullTime, shortTime } from './text/time';
import { useTick } from './useTick';

interface Props {
  /** ISO text with an offset, or milliseconds since the epoch. */
  at: string | number;
  style?: 'short' | 'clock' | 'ago';
}

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function TimeText({ at, style = 'short' }: Props) {
  const { t, i18n } = useTranslation();
  const { zone, simulated, now } = usePlace();
  useTick(30_000);
  const ms = typeof at === 'number' ? at : Date.parse(at);
  const locale = { language: i18n.language, zone };
  const text =
    style === 'clock'
      ? clockTime(ms, locale)
      : style === 'ago'
        ? ago(ms, now(), i18n.language)
        : shortTime(ms, now(), locale);
  const office = fullTime(ms, locale);
  const own = fullTime(ms, { language: i18n.language, zone: ownZone });
  return (
    <Tooltip
      multiline
      openDelay={350}
      label={
        <>
          <div>{t('parts.office_time', { time: office })}</div>
          {!simulated && zone !== ownZone && <div>{t('parts.own_time', { time: own })}</div>}
        </>
      }
    >
      <time className="tabular" dateTime={new Date(ms).toISOString()}>
        {text}
      </time>
    </Tooltip>
  );
}
