/** A browser's name and system from what it sends, in the order in which they claim to be each other. */
const BROWSERS: readonly [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/HeadlessChrome\//, 'Chromium'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** `Firefox, Linux`; what was sent, shortened, when it is none of these. */
export function browserOf(agent: string): string {
  const find = (known: readonly [RegExp, string][]) =>
    known.find(([sign]) => sign.test(agent))?.[1];
  const parts = [find(BROWSERS), find(SYSTEMS)].filter((one) => one !== undefined);
  return parts.length > 0 ? parts.join(', ') : agent.slice(0, 60);
}
