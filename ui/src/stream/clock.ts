/** Office time from the clock's last word: between entries it runs at `rate` office seconds a second. */
import type { ClockView } from '../api/types';

/** Office time now, in milliseconds since the epoch. */
export function officeNow(clock: ClockView, realNowMs: number): number {
  const base = Date.parse(clock.office_at);
  return base + Math.max(0, realNowMs - Date.parse(clock.real_at)) * clock.rate;
}
