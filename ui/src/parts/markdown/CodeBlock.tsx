/** A block of code with a copy button; colours come when the highlighter has been fetched. */
import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './CodeBlock.module.css';

interface Props {
  text: string;
  /** As written after the fence; unknown ones stay plain. */
  language: string;
  /** Hides the bar with the language's name. */
  bare?: boolean;
}

/** Longer texts stay plain: colouring them would hold up the page. */
const COLOURED_MAX = 60_000;

export function CodeBlock({ text, language, bare = false }: Props) {
  const { t } = useTranslation();
  const [painted, setPainted] = useState<{ text: string; nodes: ReactNode }>();
  useEffect(() => {
    if (language === '' || text.length > COLOURED_MAX) return;
    let wanted = true;
    void import('./highlight').then(({ highlight }) => {
      if (wanted) setPainted({ text, nodes: highlight(text, language) });
    });
    return () => {
      wanted = false;
    };
  }, [text, language]);
  return (
    <div className={classes.block}>
      {!bare && (
        <div className={classes.bar}>
          <span>{language}</span>
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Tooltip label={t(copied ? 'parts.copied' : 'parts.copy')}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  onClick={copy}
                  aria-label={t('parts.copy')}
                >
                  {copied ? <Check size={14} /> : <Copy size={14} />}
                </ActionIcon>
              </Tooltip>
            )}
          </CopyButton>
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, and must do so by keyboard */}
      <pre className={classes.pre} tabIndex={0}>
        <code>{painted?.text === text ? painted.nodes : text}</code>
      </pre>
    </div>
  );
}
