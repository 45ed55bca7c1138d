/** Top-level Markdown blocks of a text, so that a growing message draws only its last block again. */
import { marked } from 'marked';

export interface Split {
  text: string;
  blocks: readonly string[];
}

/** Only the last two blocks of the previous split are read again as the text grows. */
export function splitBlocks(text: string, previous?: Split): Split {
  if (previous?.text === text) return previous;
  const kept =
    previous !== undefined && text.startsWith(previous.text) ? previous.blocks.slice(0, -2) : [];
  const rest = text.slice(kept.reduce((length, block) => length + block.length, 0));
  const blocks = marked.lexer(rest, { gfm: true }).map((token) => token.raw);
  // The lexer normalises tabs and line ends: if it changed a character, the rest is one block.
  const whole = blocks.join('') === rest;
  return { text, blocks: [...kept, ...(whole ? blocks : [rest])] };
}
