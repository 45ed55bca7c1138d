/** What the model thought before it spoke; folded, since it is long and not meant for anybody. */
import { UnstyledButton } from '@mantine/core';
import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Markdown } from '../markdown/Markdown';
import classes from './ReasoningFold.module.css';

interface Props {
  text: string;
  /** It is still thinking: the last line shows. */
  live?: boolean;
}

/** Characters of the thought that show while folded. */
const PEEK_CHARS = 140;

export function ReasoningFold({ text, live = false }: Props) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const id = useId();
  if (text.trim() === '') return null;
  const peek = text.replace(/\s+/g, ' ').trim().slice(-PEEK_CHARS);
  return (
    <div className={classes.fold}>
      <UnstyledButton
        className={classes.head}
        aria-expanded={opened}
        aria-controls={id}
        onClick={() => setOpened(!opened)}
      >
        <ChevronRight
          size={14}
          className={classes.chevron}
          data-open={opened || undefined}
          aria-hidden="true"
        />
        <span className={classes.title} data-live={live || undefined}>
          {t(live ? 'parts.thinking' : 'parts.thought')}
        </span>
        {live && !opened && <span className={classes.peek}>{peek}</span>}
      </UnstyledButton>
      <div id={id}>
        {opened && (
          <div className={classes.body}>
            <Markdown text={text} />
          </div>
        )}
      </div>
    </div>
  );
}
