/** The office's day and time; it stands still while the office is paused. */
import { Text, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ClockView } from '../../api/types';
import { clockTime, dayName } from '../../parts/text/time';
import { useTick } from '../../parts/useTick';
import { officeNow } from '../../stream/clock';

interface Props {
  clock: ClockView;
  paused: boolean;
}

export function OfficeClock({ clock, paused }: Props) {
  const { t, i18n } = useTranslation();
  const real = useTick(clock.rate > 1 ? 250 : 1000);
  const ms = officeNow(clock, real);
  const locale = { language: i18n.language, zone: clock.zone };
  const hint = clock.mode === 'simulated' ? 'shell.clock_simulated' : 'shell.clock_wall';
  return (
    <Tooltip label={t(hint, { zone: clock.zone, rate: clock.rate })} multiline maw={280}>
      <div style={{ textAlign: 'right', lineHeight: 1.15, opacity: paused ? 0.6 : 1 }}>
        <Text fw={650} size="sm" className="tabular" lh={1.2}>
          {clockTime(ms, locale)}
        </Text>
        <Text size="xs" c="dimmed" lh={1.2} style={{ whiteSpace: 'nowrap' }}>
          {t('shell.day', { day: clock.day })}
          <Text span size="xs" visibleFrom="sm">
            {' · '}
            {dayName(ms, locale)}
          </Text>
        </Text>
      </div>
    </Tooltip>
  );
}
