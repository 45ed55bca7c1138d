/** A colour and initials of one's own for everybody, the same every time. */

/** Background and ink for light and dark paper; each pair passes WCAG AA. */
export const HUES = [
  { light: ['#d9ebe4', '#14594d'], dark: ['#1d3a33', '#9fd3c4'] },
  { light: ['#fde3c8', '#7d3f05'], dark: ['#45290d', '#f5c48d'] },
  { light: ['#e3e2f6', '#3f3a8c'], dark: ['#2b2a4d', '#c0bdf2'] },
  { light: ['#f7dcd9', '#8c2a20'], dark: ['#45211d', '#f0b3ac'] },
  { light: ['#dbe8f4', '#1d4f80'], dark: ['#1b324a', '#a9cdf0'] },
  { light: ['#efdff0', '#6f2f74'], dark: ['#3a2140', '#e0b6e5'] },
  { light: ['#ecebc9', '#575309'], dark: ['#34330f', '#d8d48a'] },
  { light: ['#e8e3da', '#57493a'], dark: ['#37322a', '#d5c8b5'] },
] as const;

export type Hue = (typeof HUES)[number];

function hash(text: string): number {
  let value = 2166136261;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 16777619);
  return value >>> 0;
}

export function hueOf(name: string): Hue {
  return HUES[hash(name) % HUES.length] ?? HUES[0];
}

/** `pm` → PM, `data-engineer` → DE, `文案` → 文; one word gives its next consonant: `developer` → DV, `designer` → DS */
export function initials(name: string): string {
  const words = name.split(/[\s_.-]+/).filter(Boolean);
  const first = words[0] ?? '?';
  if (/[\u3040-\u9fff\uac00-\ud7af]/u.test(first)) return [...first].slice(0, 1).join('');
  const next = words[1] ?? /[^aeiou]/i.exec(first.slice(1))?.[0] ?? first.slice(1);
  return `${[...first][0]}${[...next][0] ?? ''}`.toUpperCase();
}
