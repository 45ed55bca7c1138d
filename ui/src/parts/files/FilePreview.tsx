/** A file as it can be looked at: picture, text, Markdown, or a page in a sandbox. */
import { FileQuestion } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../markdown/CodeBlock';
import { Markdown } from '../markdown/Markdown';
import { Notice } from '../states/Notice';
import { LogView } from '../tool/LogView';
import classes from './FilePreview.module.css';
import { languageOf, nameOf } from './kinds';

export type Preview =
  | { kind: 'image'; src: string }
  | { kind: 'markdown'; text: string }
  /** An address whose answer stands in a sandbox by itself. */
  | { kind: 'page'; src: string }
  | { kind: 'text'; text: string }
  | { kind: 'none'; reason: 'binary' | 'large' };

interface Props {
  agent: string;
  path: string;
  preview: Preview;
}

/** Longer texts are drawn line by line, as far as they are in sight. */
const WHOLE_MAX = 60_000;

export function FilePreview({ agent, path, preview }: Props) {
  const { t } = useTranslation();
  switch (preview.kind) {
    case 'image':
      return (
        <div className={classes.picture}>
          <img src={preview.src} alt={nameOf(path)} />
        </div>
      );
    case 'markdown':
      return (
        <div className={classes.reading}>
          <Markdown text={preview.text} agent={agent} />
        </div>
      );
    case 'page':
      return (
        <iframe
          className={classes.page}
          title={t('parts.preview_of', { name: nameOf(path) })}
          sandbox=""
          src={preview.src}
        />
      );
    case 'text':
      return preview.text.length > WHOLE_MAX ? (
        <LogView text={preview.text} label={nameOf(path)} maxHeight={640} />
      ) : (
        <CodeBlock text={preview.text} language={languageOf(path)} bare />
      );
    case 'none':
      return (
        <Notice
          icon={<FileQuestion size={24} />}
          title={t('parts.no_preview')}
          text={t(`parts.no_preview_${preview.reason}`)}
        />
      );
  }
}
