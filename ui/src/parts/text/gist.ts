/** What Markdown says, in one line of plain words, for lists and excerpts. Pure. */

const RULES: readonly [RegExp, string][] = [
  [/```[^\n]*\n?/g, ' '],
  // Headings, quotes and list marks begin a thing of its own.
  [/\s*\n\s*(?:#{1,6}|>|[-*+]|\d{1,3}[.)])\s+/g, ' · '],
  [/^\s*(?:#{1,6}|>|[-*+])\s+/, ''],
  [/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1'],
  [/(\*\*|__|~~|`)(?=\S)([^\n]*?\S)\1/g, '$2'],
  [/\s+/g, ' '],
];

export function gist(markdown: string): string {
  return RULES.reduce((text, [what, by]) => text.replace(what, by), markdown)
    .replace(/([:,;·]) · /g, '$1 ')
    .trim();
}

/** The first line, and the rest as one line. */
export function headAndRest(text: string): [string, string] {
  const [head = '', ...rest] = text.trim().split('\n');
  return [gist(head), gist(rest.join('\n'))];
}
