/** Times as text, in any zone and language; nothing here reads a clock. */

const formats = new Map<string, Intl.DateTimeFormat>();

function format(language: string, zone: string, options: Intl.DateTimeFormatOptions) {
  const key = `${language}|${zone}|${JSON.stringify(options)}`;
  let known = formats.get(key);
  if (known === undefined) {
    known = new Intl.DateTimeFormat(language, { timeZone: safeZone(zone), ...options });
    formats.set(key, known);
  }
  return known;
}

/** An unknown zone must not take the page down. */
function safeZone(zone: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone;
  } catch {
    return 'UTC';
  }
}

export interface Locale {
  language: string;
  zone: string;
}

/** `14:05` */
export const clockTime = (ms: number, { language, zone }: Locale): string =>
  format(language, zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(ms);

/** `14:05:09` */
export const clockSeconds = (ms: number, { language, zone }: Locale): string =>
  format(language, zone, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).format(ms);

/** `Mon, 30 Nov` */
export const dayName = (ms: number, { language, zone }: Locale): string =>
  format(language, zone, { weekday: 'short', day: 'numeric', month: 'short' }).format(ms);

/** Everything, for a tooltip: `Monday, 30 November 2026, 14:05:09 CET` */
export const fullTime = (ms: number, { language, zone }: Locale): string =>
  format(language, zone, {
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(ms);

/** `2026-11-30`, for telling days apart. */
export const dayKey = (ms: number, zone: string): string =>
  format('en-CA', zone, { year: 'numeric', month: '2-digit', day: '2-digit' }).format(ms);

/** Today only the hour matters; before that, the day as well. */
export function shortTime(ms: number, nowMs: number, locale: Locale): string {
  if (dayKey(ms, locale.zone) === dayKey(nowMs, locale.zone)) return clockTime(ms, locale);
  return `${dayName(ms, locale)} ${clockTime(ms, locale)}`;
}

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** `5 minutes ago`; within a minute, `now`. */
export function ago(ms: number, nowMs: number, language: string): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  for (const [unit, size] of STEPS) {
    const count = Math.trunc((ms - nowMs) / size);
    if (count !== 0) return words.format(count, unit);
  }
  return words.format(0, 'second');
}

/** `1.2 s`, `3 min 4 s`, `2 h 5 min`: how long something took. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
