/** The agents as cards. */
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Face } from '../../parts/Face';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { To } from '../../parts/To';
import { AgentDoing } from './AgentDoing';
import classes from './Agents.module.css';
import type { AgentRow } from './rows';
import { Waiting } from './Waiting';

interface Props {
  rows: readonly AgentRow[];
}

/** Cards drawn at once; more on demand. */
const STEP = 60;

export function AgentCards({ rows }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const [shown, setShown] = useState(STEP);
  return (
    <>
      <ul className={classes.cards}>
        {rows.slice(0, shown).map(({ agent, presence, run, waiting, parked }) => (
          <li key={agent.name} className={classes.card}>
            <div className={classes.cardHead}>
              <Face name={agent.name} size={40} presence={presence} />
              <div className={classes.grow}>
                <To to={paths.agent(office, agent.name)} className={classes.name}>
                  {agent.name}
                </To>
                <Text size="xs" c="dimmed" truncate>
                  {agent.title}
                </Text>
              </div>
            </div>
            <Text size="sm" lineClamp={2} className={classes.about}>
              {agent.description}
            </Text>
            <AgentDoing run={run} presence={presence} />
            <div className={classes.cardFoot}>
              <Waiting agent={agent} waiting={waiting} parked={parked} />
              <Text size="xs" c="dimmed" truncate className={classes.model}>
                {agent.model}
              </Text>
            </div>
          </li>
        ))}
      </ul>
      {rows.length > shown && (
        <Button mt="sm" size="xs" variant="default" onClick={() => setShown(shown + STEP)}>
          {t('agents.more', { count: rows.length - shown })}
        </Button>
      )}
    </>
  );
}
