/** How many are in which state; pressed, a state alone is shown, or lit among the others. */
import { UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AgentView } from '../../api/types';
import { PRESENCES, type Presence, presenceOf } from '../../parts/presence';
import classes from './Floor.module.css';

interface Props {
  agents: readonly AgentView[];
  chosen: Presence | undefined;
  onChoose: (presence: Presence | undefined) => void;
}

export function Legend({ agents, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const counts = new Map<Presence, number>();
  for (const agent of agents) {
    const presence = presenceOf(agent);
    counts.set(presence, (counts.get(presence) ?? 0) + 1);
  }
  return (
    <span className={classes.legend}>
      {PRESENCES.filter((one) => counts.has(one) || one === chosen).map((one) => (
        <UnstyledButton
          key={one}
          className={classes.state}
          aria-pressed={one === chosen}
          onClick={() => onChoose(one === chosen ? undefined : one)}
        >
          <span className={classes.dot} data-presence={one} aria-hidden="true" />
          {counts.get(one) ?? 0} {t(`parts.presence.${one}`)}
        </UnstyledButton>
      ))}
    </span>
  );
}
