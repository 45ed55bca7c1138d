/** What an agent is at right now, in a few words: the tool, the writing, or the job; its presence when it rests. */
import { useTranslation } from 'react-i18next';
import type { RunView } from '../../api/types';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import type { Presence } from '../../parts/presence';
import { To } from '../../parts/To';
import { doingOf } from '../../stream/doing';
import { useLiveRun, useSnapshot } from '../../stream/hooks';
import classes from './Agents.module.css';

interface Props {
  run: RunView | undefined;
  presence: Presence;
}

export function AgentDoing({ run, presence }: Props) {
  const { t } = useTranslation();
  if (run === undefined) {
    return (
      <span className={classes.rest} data-presence={presence}>
        {t(`parts.presence.${presence}`)}
      </span>
    );
  }
  return <Doing run={run} />;
}

function Doing({ run }: { run: RunView }) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const live = useLiveRun(run.id);
  const calls = useSnapshot((s) => s.calls);
  const doing = doingOf(run.id, calls, live);
  return (
    <span className={classes.doing}>
      <span className={classes.step}>
        {doing.what === 'tool'
          ? t('agents.doing.tool', { tool: doing.tool })
          : t(`agents.doing.${doing.what}`)}
      </span>
      <To to={paths.run(office, run.id)} className={classes.job}>
        {run.title || run.id}
      </To>
    </span>
  );
}
