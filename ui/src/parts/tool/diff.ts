/** A unified diff as rows that can be drawn; whatever it is, it never throws. */

export interface DiffRow {
  kind: 'same' | 'added' | 'removed' | 'hunk';
  text: string;
  /** Line number before and after; 0 where there is none. */
  before: number;
  after: number;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

export function diffRows(diff: string): DiffRow[] {
  const rows: DiffRow[] = [];
  let before = 0;
  let after = 0;
  let inside = false;
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const hunk = HUNK.exec(line);
    if (hunk !== null) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      inside = true;
      rows.push({ kind: 'hunk', text: line, before: 0, after: 0 });
    } else if (!inside || line.startsWith('\\')) {
      // file names before the first hunk; "no newline at end of file"
    } else if (line.startsWith('+')) {
      rows.push({ kind: 'added', text: line.slice(1), before: 0, after: after++ });
    } else if (line.startsWith('-')) {
      rows.push({ kind: 'removed', text: line.slice(1), before: before++, after: 0 });
    } else {
      rows.push({ kind: 'same', text: line.slice(1), before: before++, after: after++ });
    }
  }
  return rows;
}

/** How many lines came and went. */
export function diffSize(rows: readonly DiffRow[]): { added: number; removed: number } {
  return {
    added: rows.filter((row) => row.kind === 'added').length,
    removed: rows.filter((row) => row.kind === 'removed').length,
  };
}
