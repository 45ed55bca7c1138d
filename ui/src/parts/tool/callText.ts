/** A tool call in few words: what stands on its card before it is opened. */

/** The arguments, when they are a JSON object. */
export function argumentsOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text || '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** The argument that says most, in this order. */
const TELLING = ['command', 'path', 'title', 'pattern', 'query', 'url', 'to', 'channel', 'agent'];

/** One line that tells this call from the next of the same tool. */
export function gistOf(text: string): string {
  const args = argumentsOf(text);
  if (args === null) return text.slice(0, 120);
  const key =
    TELLING.find((name) => typeof args[name] === 'string' && args[name] !== '') ??
    Object.keys(args).find((name) => typeof args[name] === 'string');
  const value = key === undefined ? '' : String(args[key]);
  return value.replace(/\s+/g, ' ').slice(0, 160);
}

/** JSON laid out for reading; anything else as it stands. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
