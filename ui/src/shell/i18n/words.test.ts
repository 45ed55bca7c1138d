/** Both languages are complete: same keys, same values to fill in, and every key that the code uses. Demanded by: PLAT-5. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { words as en } from './en';
import { words as zh } from './zh';

type Tree = { [key: string]: string | Tree };

function flat(tree: Tree, head = ''): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string'
        ? [[`${head}${key}`, value] as [string, string]]
        : [...flat(value, `${head}${key}.`)],
    ),
  );
}

const english = flat(en as Tree);
const chinese = flat(zh as Tree);
const slots = (text: string) => [...text.matchAll(/{{\s*(\w+)\s*}}/g)].map((one) => one[1]).sort();

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.tsx?$/.test(entry.name) && !/\.test\.|\.gen\.|schema\.d/.test(entry.name)
      ? [readFileSync(path, 'utf8')]
      : [];
  });
}

const code = sources(join(import.meta.dirname, '../..')).join('\n');
/** Any text in quotes that looks like a key of a known file. */
const files = Object.keys(en).join('|');
const literal = new RegExp(`['"\`]((?:${files})\\.[\\w.]+)['"\`]`, 'g');
const computed = new RegExp(`\`((?:${files})\\.[\\w.]*)\\$\\{`, 'g');
const used = new Set([...code.matchAll(literal)].map((one) => one[1] as string));
const heads = new Set([...code.matchAll(computed)].map((one) => one[1] as string));

const plural = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, '');
const known = new Set([...english.keys()].flatMap((key) => [key, plural(key)]));

test('Chinese and English have the same keys', () => {
  expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
});

test('a text takes the same values in both languages, and is never empty', () => {
  for (const [key, text] of english) {
    expect(text.trim(), key).not.toBe('');
    expect(chinese.get(key)?.trim(), key).not.toBe('');
    const missing = slots(chinese.get(key) ?? '').filter((slot) => !slots(text).includes(slot));
    expect(missing, key).toEqual([]);
  }
});

/** Names that are the same in every language. */
const NAMES = new Set(['API', 'CSV', 'Dayshift', 'Landlock', 'Webhook', 'bubblewrap']);

test('Chinese is Chinese', () => {
  const same = [...english].filter(
    ([key, text]) => chinese.get(key) === text && /[a-z]{3}/i.test(text) && !NAMES.has(text),
  );
  expect(same).toEqual([]);
});

test('every key that the code uses exists', () => {
  expect(used.size).toBeGreaterThan(200);
  expect([...used].filter((key) => !known.has(key))).toEqual([]);
});

test('every computed key has something to choose from', () => {
  expect(heads.size).toBeGreaterThan(5);
  const empty = [...heads].filter((head) => ![...known].some((key) => key.startsWith(head)));
  expect(empty).toEqual([]);
});

test('no text lies about unused', () => {
  const unused = [...english.keys()].filter(
    (key) =>
      !used.has(key) && !used.has(plural(key)) && ![...heads].some((head) => key.startsWith(head)),
  );
  expect(unused).toEqual([]);
});
