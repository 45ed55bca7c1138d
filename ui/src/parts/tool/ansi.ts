/** Terminal output as lines of coloured pieces. Never as HTML. */
import Anser from 'anser';

export interface Piece {
  text: string;
  /** Colour names such as `red` or `bright-blue`; empty for the default. */
  colour: string;
  background: string;
  bold: boolean;
  faint: boolean;
  italic: boolean;
  underline: boolean;
}

export interface Line {
  /** Escape codes in force where the line begins. */
  carry: string;
  raw: string;
}

/** Characters of one line that are drawn. */
export const LINE_CHARS_MAX = 2_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const COLOUR_CODE = /\u001b\[[\d;]*m/g;
// Cursor moves, titles, links: everything that is not a colour.
const OTHER_CODE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
  /\u001b\[[\d;?]*[A-Za-ln-z]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[()][A-Z0-9]|\u001b[=>78]|[\u0000-\u0008\u000b\u000c\u000e-\u001a]/g;

/** Splits output into lines, each with the colours it starts in. A carriage return starts its line over. */
export function linesOf(output: string): Line[] {
  const lines: Line[] = [];
  let carry = '';
  for (const full of output.replace(OTHER_CODE, '').replaceAll('\r\n', '\n').split('\n')) {
    const raw = full.slice(full.replace(/\r+$/, '').lastIndexOf('\r') + 1).replaceAll('\r', '');
    lines.push({ carry, raw });
    for (const [code] of full.matchAll(COLOUR_CODE)) {
      carry = code === '\u001b[0m' || code === '\u001b[m' ? '' : carry + code;
    }
  }
  if (lines.at(-1)?.raw === '') lines.pop();
  return lines;
}

const nameOf = (cssClass: string | null | undefined) => (cssClass ?? '').replace(/^ansi-/, '');

/** The coloured pieces of a line, cut at a length that can be drawn. */
export function piecesOf(line: Line): Piece[] {
  const shown = line.raw.length > LINE_CHARS_MAX ? line.raw.slice(0, LINE_CHARS_MAX) : line.raw;
  return Anser.ansiToJson(line.carry + shown, { use_classes: true, remove_empty: true }).map(
    (piece) => ({
      text: piece.content,
      colour: nameOf(piece.fg),
      background: nameOf(piece.bg),
      bold: piece.decorations.includes('bold'),
      faint: piece.decorations.includes('dim'),
      italic: piece.decorations.includes('italic'),
      underline: piece.decorations.includes('underline'),
    }),
  );
}

/** The last lines as plain text. */
export function tailOf(output: string, count: number): string {
  return linesOf(output.slice(-8_000))
    .slice(-count)
    .map((line) => line.raw.replace(COLOUR_CODE, '').slice(0, 200))
    .join('\n');
}
