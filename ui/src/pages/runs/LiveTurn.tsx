/** The turn that is being written right now. */
import { useTranslation } from 'react-i18next';
import type { CallView, RunView } from '../../api/types';
import { StreamingMessage } from '../../parts/conversation/StreamingMessage';
import { useLiveRun } from '../../stream/hooks';
import classes from './Runs.module.css';

interface Props {
  run: RunView;
  calls: readonly CallView[];
}

export function LiveTurn({ run, calls }: Props) {
  const { t } = useTranslation();
  const live = useLiveRun(run.id);
  const isCalling = calls.some((call) => call.state === 'running' || call.state === 'pending');
  if (live === undefined && isCalling) return null;
  return (
    <article className={classes.turn} data-live aria-label={t('runs.now')}>
      <header className={classes.turnHead}>
        <span className={classes.turnName}>{t('runs.now')}</span>
      </header>
      <StreamingMessage
        text={live?.text ?? ''}
        reasoning={live?.reasoning ?? ''}
        tools={live?.tools ?? []}
        agent={run.agent}
      />
    </article>
  );
}
