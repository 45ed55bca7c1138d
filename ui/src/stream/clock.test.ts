/** Office time between two words of the clock. Demanded by: TIME-8. */
import { expect, test } from 'vitest';
import type { ClockView } from '../api/types';
import { officeNow } from './clock';

const clock: ClockView = {
  mode: 'simulated',
  zone: 'Europe/Berlin',
  day: 4,
  office_at: '2030-05-01T08:00:00+02:00',
  real_at: '2026-03-02T10:00:00+01:00',
  rate: 60,
};
const real = Date.parse(clock.real_at);
const office = Date.parse(clock.office_at);

test('office time runs at its own rate, stands still at rate 0, and never runs back', () => {
  expect(officeNow(clock, real + 1_000)).toBe(office + 60_000);
  expect(officeNow({ ...clock, rate: 0 }, real + 9_000)).toBe(office);
  expect(officeNow(clock, real - 5_000)).toBe(office);
});
