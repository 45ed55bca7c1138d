/** Somebody else's Markdown, drawn block by block: while it grows, only the last block is drawn again. */
import { memo, useRef } from 'react';
import { type Split, splitBlocks } from './blocks';
import classes from './Markdown.module.css';
import { MarkdownBlock } from './MarkdownBlock';

interface Props {
  text: string;
  /** Names whose `@name` is marked. */
  mentions?: readonly string[];
  /** Whose workspace relative links lead into. */
  agent?: string;
}

const NOBODY: readonly string[] = [];

export const Markdown = memo(function Markdown({ text, mentions = NOBODY, agent = '' }: Props) {
  const split = useRef<Split>(undefined);
  split.current = splitBlocks(text, split.current);
  return (
    <div className={classes.markdown}>
      {split.current.blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end
        <MarkdownBlock key={index} text={block} mentions={mentions} agent={agent} />
      ))}
    </div>
  );
});
