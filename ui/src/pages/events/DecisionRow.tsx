/** What the filter decided for one agent: how much it concerned it, how much it had to, and why. */
import { Text } from '@mantine/core';
import { CircleCheck, CircleMinus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Decision } from '../../api/types';
import { AgentChip } from '../../parts/AgentChip';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { said } from '../../parts/text/said';
import { useAgent } from '../../stream/hooks';
import { onBar } from './decisions';
import classes from './Events.module.css';

interface Props {
  decision: Decision;
}

export function DecisionRow({ decision }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const agent = useAgent(decision.agent);
  const bar = onBar(decision);
  const Icon = decision.accepted ? CircleCheck : CircleMinus;
  const numbers = t('events.numbers', {
    score: decision.score.toFixed(2),
    threshold: decision.threshold.toFixed(2),
  });
  return (
    <li className={classes.decision} data-accepted={decision.accepted || undefined}>
      <span className={classes.who}>
        <AgentChip name={decision.agent} agent={agent} to={paths.agent(office, decision.agent)} />
      </span>
      <span className={classes.verdict}>
        <Icon size={15} aria-hidden="true" />
        {t(decision.accepted ? 'events.accepted' : 'events.refused')}
      </span>
      <div className={classes.why}>
        <Text size="sm">{said(decision.reason)}</Text>
        <div className={classes.marks}>
          <span className={classes.mark}>{t(`events.layer.${decision.layer}`)}</span>
          {decision.keywords.map((word) => (
            <span key={word} className={classes.word}>
              {word}
            </span>
          ))}
        </div>
      </div>
      {(decision.layer === 'salience' || decision.layer === 'wake') && (
        <div className={classes.score}>
          <span className={classes.bar} aria-hidden="true">
            <span className={classes.fill} style={{ width: `${bar.score}%` }} />
            <span className={classes.limit} style={{ left: `${bar.threshold}%` }} />
          </span>
          <Text size="xs" c="dimmed" className="tabular">
            {numbers}
          </Text>
        </div>
      )}
    </li>
  );
}
