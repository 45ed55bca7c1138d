/** The `@na…` that is being typed, and what becomes of it when a name is chosen. Pure. */

export interface Typing {
  /** What stands after the @. */
  text: string;
  /** Where the @ is. */
  at: number;
}

/** The mention under the cursor; null when there is none. */
export function mentionAt(text: string, cursor: number): Typing | null {
  const found = /(?:^|[\s(])@([\w-]*)$/.exec(text.slice(0, cursor));
  if (found === null) return null;
  const name = found[1] ?? '';
  return { text: name, at: cursor - name.length - 1 };
}

export function completeMention(
  text: string,
  cursor: number,
  typing: Typing,
  name: string,
): { text: string; cursor: number } {
  const head = `${text.slice(0, typing.at)}@${name} `;
  return { text: head + text.slice(cursor).replace(/^ /, ''), cursor: head.length };
}
