/** The inside of a run: thoughts, words and tool calls, turn by turn. */
import { Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { runQuery } from '../../api/queries';
import { ReasoningFold } from '../../parts/conversation/ReasoningFold';
import { Markdown } from '../../parts/markdown/Markdown';
import { usePlace } from '../../parts/place';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { CallItem } from './CallItem';
import classes from './Conversation.module.css';
import { looseCalls, stepsOf } from './steps';

interface Props {
  run: string;
  agent: string;
  /** Texts of messages this run has posted. */
  posted: ReadonlySet<string>;
  /** While it runs only the last steps show, unless asked for. */
  live: boolean;
}

const SHOWN_LIVE = 3;

export function RunSteps({ run, agent, posted, live }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const [all, setAll] = useState(!live);
  const { data, isPending, error, refetch } = useQuery(runQuery(office, run));
  if (isPending) return <Loading rows={2} />;
  if (error) return <Failure compact problem={asProblem(error)} retry={() => void refetch()} />;
  const steps = stepsOf(data, posted);
  const hidden = all ? 0 : Math.max(0, steps.length - SHOWN_LIVE);
  return (
    <div className={classes.steps}>
      {hidden > 0 && (
        <UnstyledButton className={classes.workToggle} onClick={() => setAll(true)}>
          {t('conversation.earlier_steps', { count: hidden })}
        </UnstyledButton>
      )}
      {steps.slice(hidden).map(({ turn, calls, text }) => (
        <div key={turn.n} className={classes.steps} style={{ padding: 0 }}>
          <ReasoningFold text={turn.reasoning} />
          {text.trim() !== '' && <Markdown text={text} agent={agent} />}
          {turn.error !== '' && (
            <Text size="sm" c="red.8">
              {turn.error}
            </Text>
          )}
          {calls.map((call) => (
            <CallItem key={call.id} call={call} />
          ))}
        </div>
      ))}
      {looseCalls(data).map((call) => (
        <CallItem key={call.id} call={call} />
      ))}
    </div>
  );
}
