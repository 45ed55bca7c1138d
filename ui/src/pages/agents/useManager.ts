/** Changes who an agent reports to: at once on the screen, back with the reason when the server refuses. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeAgent } from '../../api/actions';
import { notifyDone, notifyProblem } from '../../parts/notify';
import { usePlace } from '../../parts/place';
import type { Managers } from './org';

export interface ManagerChange {
  /** Changes on their way: the agent, with its new manager. */
  moving: Managers;
  change: (agent: string, manager: string) => void;
}

export function useManager(): ManagerChange {
  const { t } = useTranslation();
  const { office } = usePlace();
  const [moving, setMoving] = useState<Managers>({});
  const change = (agent: string, manager: string) => {
    setMoving((all) => ({ ...all, [agent]: manager }));
    void changeAgent(office, agent, { reports_to: manager })
      .then(() =>
        notifyDone(
          manager === ''
            ? t('agents.now_reports_to_person', { agent })
            : t('agents.now_reports_to', { agent, manager }),
        ),
      )
      .catch(notifyProblem)
      .finally(() => setMoving(({ [agent]: _done, ...rest }) => rest));
  };
  return { moving, change };
}
