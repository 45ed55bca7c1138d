/** A run that goes on: its steps so far and what it writes right now. */
import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Square } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { cancelRun } from '../../api/actions';
import type { RunView } from '../../api/types';
import { StreamingMessage } from '../../parts/conversation/StreamingMessage';
import { Face } from '../../parts/Face';
import { notifyProblem } from '../../parts/notify';
import { usePlace } from '../../parts/place';
import { duration } from '../../parts/text/time';
import { useTick } from '../../parts/useTick';
import { useLiveRun, useSnapshot } from '../../stream/hooks';
import classes from './Conversation.module.css';
import { RunSteps } from './RunSteps';

interface Props {
  run: RunView;
  posted: ReadonlySet<string>;
  stoppable: boolean;
}

function Elapsed({ since }: { since: string }) {
  const { now } = usePlace();
  useTick(1000);
  return <>{duration(Math.max(0, now() - Date.parse(since)))}</>;
}

/** Between turns, while no tool runs, the model has been asked and has not begun to answer. */
function Writing({ run }: { run: RunView }) {
  const live = useLiveRun(run.id);
  const calls = useSnapshot((s) => s.calls);
  const isCalling = Object.values(calls).some((call) => call.run === run.id);
  if (live === undefined && isCalling) return null;
  return (
    <StreamingMessage
      text={live?.text ?? ''}
      reasoning={live?.reasoning ?? ''}
      tools={live?.tools ?? []}
      agent={run.agent}
    />
  );
}

export function LiveRun({ run, posted, stoppable }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const stop = useMutation({
    mutationFn: () => cancelRun(office, run.id),
    onError: notifyProblem,
  });
  return (
    <article className={classes.message} data-headed>
      <div className={classes.gutter}>
        <Face name={run.agent} size={34} presence="busy" />
      </div>
      <div className={classes.content}>
        <div className={classes.byline}>
          <span className={classes.author}>{run.agent}</span>
          <Text component="span" size="xs" c="dimmed" className="tabular">
            {t(`parts.run.${run.state}`)} · <Elapsed since={run.started_at} />
          </Text>
          <span className={classes.spring} />
          {stoppable && (
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<Square size={11} fill="currentColor" />}
              loading={stop.isPending || stop.isSuccess}
              onClick={() => stop.mutate()}
            >
              {t('conversation.stop')}
            </Button>
          )}
        </div>
        {run.turns > 0 && <RunSteps run={run.id} agent={run.agent} posted={posted} live />}
        {run.state === 'running' && <Writing run={run} />}
      </div>
    </article>
  );
}
