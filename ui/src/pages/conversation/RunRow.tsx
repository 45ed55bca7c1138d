/** The work behind a conversation: one line when it is done, everything while it goes on. */
import { UnstyledButton } from '@mantine/core';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunView } from '../../api/types';
import { Money } from '../../parts/Money';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { StateBadge } from '../../parts/StateBadge';
import { To } from '../../parts/To';
import { said } from '../../parts/text/said';
import { duration } from '../../parts/text/time';
import classes from './Conversation.module.css';
import { LiveRun } from './LiveRun';
import { RunSteps } from './RunSteps';

interface Props {
  run: RunView;
  posted: ReadonlySet<string>;
  /** Whether the person may stop it from here. */
  stoppable: boolean;
}

export function RunRow({ run, posted, stoppable }: Props) {
  if (run.ended_at === null) return <LiveRun run={run} posted={posted} stoppable={stoppable} />;
  return <EndedRun run={run} posted={posted} />;
}

function EndedRun({ run, posted }: Omit<Props, 'stoppable'>) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const [opened, setOpened] = useState(false);
  const took = Date.parse(run.ended_at ?? run.started_at) - Date.parse(run.started_at);
  return (
    <div className={classes.work}>
      <div className={classes.workHead}>
        <UnstyledButton
          className={classes.workToggle}
          onClick={() => setOpened(!opened)}
          aria-expanded={opened}
        >
          <ChevronRight
            size={14}
            className={classes.chevron}
            data-open={opened || undefined}
            aria-hidden="true"
          />
          {t('conversation.worked', { agent: run.agent, time: duration(took) })}
          {' · '}
          {t('conversation.calls', { count: run.calls })}
        </UnstyledButton>
        <span aria-hidden="true">·</span>
        <Money micros={run.cost_usd_micros} />
        <To to={paths.run(office, run.id)}>{t('conversation.open_run')}</To>
        {run.state !== 'completed' && <StateBadge of="run" state={run.state} />}
        {run.state !== 'completed' && run.reason !== '' && (
          <span className={classes.reason}>{said(run.reason)}</span>
        )}
      </div>
      {opened && <RunSteps run={run.id} agent={run.agent} posted={posted} live={false} />}
    </div>
  );
}
