/** Times, sums and sizes as text. Demanded by: TIME-8, MODEL-5. */
import { expect, test } from 'vitest';
import { bytes, compact, money } from './numbers';
import { ago, clockTime, dayKey, duration, fullTime, shortTime } from './time';
import { fromLocal, toLocal } from './zone';

const berlin = { language: 'en', zone: 'Europe/Berlin' };
const at = Date.parse('2026-03-02T23:30:00Z');

test('a moment shows in the zone of the office, not of the browser', () => {
  expect(clockTime(at, berlin)).toBe('00:30');
  expect(clockTime(at, { ...berlin, zone: 'America/New_York' })).toBe('18:30');
  expect(dayKey(at, 'Europe/Berlin')).toBe('2026-03-03');
  expect(fullTime(at, berlin)).toContain('Tuesday');
  expect(fullTime(at, { language: 'zh', zone: 'Asia/Shanghai' })).toContain('星期二');
});

test('an unknown zone falls back instead of breaking the page', () => {
  expect(clockTime(at, { language: 'en', zone: 'Moon/Crater' })).toBe('23:30');
});

test('today shows the hour only', () => {
  expect(shortTime(at, at + 60_000, berlin)).toBe('00:30');
  expect(shortTime(at, at + 86_400_000, berlin)).toBe('Tue, Mar 3 00:30');
});

test('how long ago, and how long it took', () => {
  expect(ago(at - 300_000, at, 'en')).toBe('5 min. ago');
  expect(ago(at, at, 'en')).toBe('now');
  expect([40, 1_240, 59_400, 184_000, 7_500_000].map(duration)).toEqual([
    '40 ms',
    '1.2 s',
    '59 s',
    '3 min 4 s',
    '2 h 5 min',
  ]);
});

test('wall time of a zone and back, also around a clock change', () => {
  expect(toLocal(at, 'Europe/Berlin')).toBe('2026-03-03T00:30');
  for (const iso of ['2026-03-29T00:59:00Z', '2026-03-29T01:01:00Z', '2026-07-01T12:00:00Z']) {
    const ms = Date.parse(iso);
    expect(fromLocal(toLocal(ms, 'Europe/Berlin'), 'Europe/Berlin')).toBe(ms);
  }
});

test('small sums keep the digits that tell them apart', () => {
  expect(money(0, 'en')).toBe('$0.00');
  expect(money(4_200, 'en')).toBe('$0.0042');
  expect(money(1_234_567, 'en')).toBe('$1.23');
  expect(compact(84_200, 'en')).toBe('84.2K');
  expect([412, 1_240, 51_200, 5_000_000].map(bytes)).toEqual([
    '412 B',
    '1.2 kB',
    '51 kB',
    '5.0 MB',
  ]);
});
