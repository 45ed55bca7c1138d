/** A turn as it is being written: thoughts, text, the tools it is about to call. */
import { Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Markdown } from '../markdown/Markdown';
import { ReasoningFold } from './ReasoningFold';
import classes from './StreamingMessage.module.css';

interface Props {
  text: string;
  reasoning: string;
  /** Names of the tools that the model has begun to call. */
  tools: readonly string[];
  agent: string;
}

export function StreamingMessage({ text, reasoning, tools, agent }: Props) {
  const { t } = useTranslation();
  const waiting = text === '' && reasoning === '' && tools.length === 0;
  return (
    <div className={classes.stream} aria-busy="true">
      {waiting && (
        <span className={classes.waiting}>
          <Loader type="dots" size={18} color="dawn.6" aria-hidden="true" /> {t('parts.asking')}
        </span>
      )}
      <ReasoningFold text={reasoning} live={text === '' && tools.length === 0} />
      {text !== '' && (
        <div className={classes.text} data-writing={tools.length === 0 || undefined}>
          <Markdown text={text} agent={agent} />
        </div>
      )}
      {tools.length > 0 && (
        <span className={classes.waiting}>
          <Loader type="dots" size={18} color="dawn.6" aria-hidden="true" />{' '}
          {t('parts.prepares', { tools: tools.join(', ') })}
        </span>
      )}
    </div>
  );
}
