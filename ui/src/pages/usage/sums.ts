/** Arithmetic of usage: days without gaps, shares, and the table as CSV. Pure. */
import type { UsageRow } from '../../api/types';

/** Part of the input that came from the provider's cache, 0 to 1; null when there was no input. */
export function cachedShare(
  row: Pick<UsageRow, 'input_tokens' | 'cache_read_tokens'>,
): number | null {
  return row.input_tokens > 0 ? Math.min(1, row.cache_read_tokens / row.input_tokens) : null;
}

export const allTokens = (row: Pick<UsageRow, 'input_tokens' | 'output_tokens'>): number =>
  row.input_tokens + row.output_tokens;

export interface DayBar {
  day: number;
  dollars: number;
  input: number;
  cached: number;
  output: number;
}

/** One bar for each of the last `days` office days up to `today`; days without usage are empty. Days count from 1. */
export function dayBars(rows: readonly UsageRow[], today: number, days: number): DayBar[] {
  const byDay = new Map(rows.map((row) => [Number(row.key), row]));
  const first = Math.max(1, today - days + 1);
  return Array.from({ length: Math.max(0, today - first + 1) }, (_, index) => {
    const day = first + index;
    const row = byDay.get(day);
    const cached = Math.min(row?.cache_read_tokens ?? 0, row?.input_tokens ?? 0);
    return {
      day,
      dollars: (row?.cost_usd_micros ?? 0) / 1_000_000,
      input: (row?.input_tokens ?? 0) - cached,
      cached,
      output: row?.output_tokens ?? 0,
    };
  });
}

/** Dearest first; among equals the one with more tokens. */
export const dearestFirst = (rows: readonly UsageRow[]): UsageRow[] =>
  [...rows].sort((a, b) => b.cost_usd_micros - a.cost_usd_micros || allTokens(b) - allTokens(a));

const COLUMNS = [
  'requests',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cost_usd',
  'unpriced_requests',
] as const;

/** A cell; text that a spreadsheet would take for a formula is kept as text. */
function cell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The rows as CSV, with a line of names; `name` gives what stands in the second column. */
export function toCsv(
  by: string,
  rows: readonly UsageRow[],
  name: (key: string) => string,
): string {
  const lines = rows.map((row) => [
    cell(row.key),
    cell(name(row.key)),
    ...COLUMNS.map((column) =>
      column === 'cost_usd' ? (row.cost_usd_micros / 1_000_000).toFixed(6) : String(row[column]),
    ),
  ]);
  return [[by, 'name', ...COLUMNS], ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}
