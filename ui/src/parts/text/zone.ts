/** Between a moment and what a clock on the wall of some zone shows, in the form of `datetime-local` inputs. */

function wallOf(ms: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(ms);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '00';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

/** `2026-11-30T14:05` as the zone's clocks show it. */
export const toLocal = (ms: number, zone: string): string => wallOf(ms, zone);

/** The moment at which the zone's clocks show that; where a clock change repeats an hour, one of the two. */
export function fromLocal(local: string, zone: string): number {
  const asIfUtc = Date.parse(`${local}:00Z`);
  let ms = asIfUtc;
  // Twice, since the zone's offset at the first guess may be another one.
  for (let round = 0; round < 2; round += 1) {
    ms += asIfUtc - Date.parse(`${wallOf(ms, zone)}:00Z`);
  }
  return ms;
}
