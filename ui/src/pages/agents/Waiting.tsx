/** How much waits for an agent; leads to its inbox. */
import { Pause } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { AgentView } from '../../api/types';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { To } from '../../parts/To';
import classes from './Agents.module.css';

interface Props {
  agent: AgentView;
  waiting: number;
  parked: number;
}

export function Waiting({ agent, waiting, parked }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  return (
    <To to={paths.agent(office, agent.name, 'inbox')} className={classes.waiting}>
      <span className="tabular" data-some={waiting > 0 || undefined}>
        {t('agents.waits', { count: waiting })}
      </span>
      {parked > 0 && (
        <span className={classes.parked}>{t('agents.parked_count', { count: parked })}</span>
      )}
      {agent.inbox_paused && (
        <span className={classes.paused}>
          <Pause size={12} aria-hidden="true" /> {t('agents.paused')}
        </span>
      )}
    </To>
  );
}
