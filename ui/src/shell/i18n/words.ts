/** Joins a language's files into one tree: `locales/en/board.json` holds the keys that begin with `board.`. */
export function wordsOf(files: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(files).map(([path, words]) => [
      path.slice(path.lastIndexOf('/') + 1, -'.json'.length),
      words,
    ]),
  );
}
