/** The part of a text around what was searched for, in pieces that are or are not a hit. Pure. */
import { gist } from '../../parts/text/gist';

export interface Piece {
  text: string;
  isHit: boolean;
}

/** Characters before the first hit. */
const BEFORE = 60;
const LENGTH = 240;

export function excerpt(text: string, words: string): Piece[] {
  const flat = gist(text);
  const wanted = words.toLowerCase();
  const first = wanted === '' ? -1 : flat.toLowerCase().indexOf(wanted);
  const from = Math.max(0, first - BEFORE);
  const shown = flat.slice(from, from + LENGTH);
  const pieces: Piece[] = from > 0 ? [{ text: '…', isHit: false }] : [];
  let rest = shown;
  while (rest !== '') {
    const at = wanted === '' ? -1 : rest.toLowerCase().indexOf(wanted);
    if (at < 0) {
      pieces.push({ text: rest, isHit: false });
      break;
    }
    if (at > 0) pieces.push({ text: rest.slice(0, at), isHit: false });
    pieces.push({ text: rest.slice(at, at + wanted.length), isHit: true });
    rest = rest.slice(at + wanted.length);
  }
  if (from + LENGTH < flat.length) pieces.push({ text: '…', isHit: false });
  return pieces;
}
