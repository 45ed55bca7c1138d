/** Output of a command: colours, a virtual list when it is long, the end in sight while it grows. */
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Virtuoso } from 'react-virtuoso';
import { LINE_CHARS_MAX, type Line, linesOf, piecesOf } from './ansi';
import classes from './LogView.module.css';

interface Props {
  text: string;
  /** Height in pixels at which it begins to scroll. */
  maxHeight?: number;
  /** Keeps the last line in sight as the text grows. */
  follow?: boolean;
  label: string;
}

const LINE_HEIGHT = 19;
/** From here on only the lines in sight are drawn. */
const VIRTUAL_FROM = 300;

const LogLine = memo(function LogLine({ line }: { line: Line }) {
  const { t } = useTranslation();
  const cut = line.raw.length - LINE_CHARS_MAX;
  return (
    <div className={classes.line}>
      {piecesOf(line).map((piece, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a line never changes
          key={index}
          data-colour={piece.colour || undefined}
          data-background={piece.background || undefined}
          data-bold={piece.bold || undefined}
          data-faint={piece.faint || undefined}
          data-italic={piece.italic || undefined}
          data-underline={piece.underline || undefined}
        >
          {piece.text}
        </span>
      ))}
      {cut > 0 && <span className={classes.cut}>{t('parts.line_cut', { count: cut })}</span>}
    </div>
  );
});

export const LogView = memo(function LogView({
  text,
  maxHeight = 320,
  follow = false,
  label,
}: Props) {
  const lines = linesOf(text);
  if (lines.length > VIRTUAL_FROM) {
    return (
      <Virtuoso
        className={classes.log}
        style={{ height: maxHeight }}
        totalCount={lines.length}
        fixedItemHeight={LINE_HEIGHT}
        followOutput={follow}
        initialTopMostItemIndex={follow ? lines.length - 1 : 0}
        itemContent={(index) => {
          const line = lines[index];
          return line ? <LogLine line={line} /> : null;
        }}
        role="group"
        aria-label={label}
        tabIndex={0}
      />
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: not a set of form fields
    <div
      className={classes.log}
      style={{ maxHeight }}
      ref={(element) => {
        if (follow && element !== null) element.scrollTop = element.scrollHeight;
      }}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: long output scrolls, and must do so by keyboard
      tabIndex={0}
    >
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added at the end
        <LogLine key={index} line={line} />
      ))}
    </div>
  );
});
