/** One turn: what the model thought, said and called, and what it took. */
import { Button, Group, Text } from '@mantine/core';
import { Braces } from 'lucide-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallView, TurnView } from '../../api/types';
import { ReasoningFold } from '../../parts/conversation/ReasoningFold';
import { Money } from '../../parts/Money';
import { Markdown } from '../../parts/markdown/Markdown';
import { TimeText } from '../../parts/TimeText';
import { Tokens } from '../../parts/Tokens';
import { duration } from '../../parts/text/time';
import { RunCall } from './RunCall';
import classes from './Runs.module.css';

interface Props {
  turn: TurnView;
  calls: readonly CallView[];
  onRaw: (what: 'request' | 'response') => void;
}

export const TurnCard = memo(function TurnCard({ turn, calls, onRaw }: Props) {
  const { t } = useTranslation();
  const isGood = turn.state === 'completed';
  return (
    <article className={classes.turn} id={`turn-${turn.n}`} aria-label={t('runs.turn', turn)}>
      <header className={classes.turnHead}>
        <span className={classes.turnName}>{t('runs.turn', { n: turn.n })}</span>
        {!isGood && <span className={classes.bad}>{t(`runs.turn_state.${turn.state}`)}</span>}
        <Text span size="xs" c="dimmed" className="tabular">
          <TimeText at={turn.at} style="clock" /> · {duration(turn.duration_ms)} ·{' '}
          <Tokens usage={turn.usage} /> · <Money micros={turn.cost_usd_micros} />
          {turn.attempts > 1 && ` · ${t('runs.attempts', { count: turn.attempts })}`}
        </Text>
        <span className={classes.spring} />
        <Group gap={4}>
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<Braces size={12} />}
            onClick={() => onRaw('request')}
          >
            {t('runs.request')}
          </Button>
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<Braces size={12} />}
            onClick={() => onRaw('response')}
          >
            {t('runs.response')}
          </Button>
        </Group>
      </header>
      <ReasoningFold text={turn.reasoning} />
      {turn.text !== '' && <Markdown text={turn.text} agent={turn.agent} />}
      {turn.error !== '' && (
        <Text size="sm" className={classes.error}>
          {turn.error}
        </Text>
      )}
      {calls.map((call) => (
        <RunCall key={call.id} call={call} />
      ))}
    </article>
  );
});
