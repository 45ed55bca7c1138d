/** Usage sums: days without gaps, shares and CSV. */
import { describe, expect, it } from 'vitest';
import type { UsageRow } from '../../api/types';
import { cachedShare, dayBars, dearestFirst, toCsv } from './sums';

const row = (key: string, change: Partial<UsageRow> = {}): UsageRow => ({
  key,
  input_tokens: 100,
  output_tokens: 10,
  cache_read_tokens: 40,
  cache_write_tokens: 0,
  requests: 2,
  cost_usd_micros: 1_500_000,
  unpriced_requests: 0,
  ...change,
});

describe('usage by day', () => {
  it('has one bar for each day, also for those without usage', () => {
    const bars = dayBars([row('3'), row('5')], 5, 4);
    expect(bars.map((bar) => bar.day)).toEqual([2, 3, 4, 5]);
    expect(bars.map((bar) => bar.dollars)).toEqual([0, 1.5, 0, 1.5]);
  });

  it('begins with the first office day', () => {
    expect(dayBars([], 2, 30).map((bar) => bar.day)).toEqual([1, 2]);
  });

  it('counts no token both as cached and as fresh', () => {
    expect(dayBars([row('1')], 1, 1)[0]).toMatchObject({ input: 60, cached: 40, output: 10 });
  });
});

describe('shares and order', () => {
  it('has no cached share without input', () => {
    expect(cachedShare(row('x', { input_tokens: 0, cache_read_tokens: 0 }))).toBeNull();
    expect(cachedShare(row('x'))).toBeCloseTo(0.4);
  });

  it('puts the dearest first', () => {
    const rows = [row('a', { cost_usd_micros: 1 }), row('b'), row('c', { cost_usd_micros: 0 })];
    expect(dearestFirst(rows).map((one) => one.key)).toEqual(['b', 'a', 'c']);
  });
});

describe('CSV', () => {
  it('quotes what needs quotes, and keeps formulas as text', () => {
    const csv = toCsv('task', [row('T-1')], () => '=HYPERLINK("x"), again');
    expect(csv.split('\r\n')[1]).toBe('T-1,"\'=HYPERLINK(""x""), again",2,100,10,40,0,1.500000,0');
  });
});
