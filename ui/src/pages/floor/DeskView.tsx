/** One desk: who sits there, whether the screen is on, and what is being done. Leads to the agent. */
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { AgentView, RunView } from '../../api/types';
import { Face } from '../../parts/Face';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { presenceOf } from '../../parts/presence';
import { To } from '../../parts/To';
import { doingOf } from '../../stream/doing';
import { useLiveRun, useOpenRun, useSnapshot } from '../../stream/hooks';
import classes from './Floor.module.css';
import { DESKS, type DeskSize } from './plan';

/** Width of a face in pixels. */
const FACES = { roomy: 64, large: 44, small: 30 } as const;

interface Props {
  agent: AgentView;
  x: number;
  y: number;
  size: DeskSize;
  /** Somebody else is looked for. */
  isFaded: boolean;
}

export const DeskView = memo(function DeskView({ agent, x, y, size, isFaded }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const run = useOpenRun(agent.run);
  const presence = presenceOf(agent);
  const { width, height } = DESKS[size];
  const style = { left: x, top: y, width, height };
  const to = paths.agent(office, agent.name);
  const word = t(`parts.presence.${presence}`);
  if (size === 'dot') {
    return (
      <To
        to={to}
        className={classes.dotDesk}
        style={style}
        data-presence={presence}
        data-faded={isFaded || undefined}
        aria-label={`${agent.name}, ${word}`}
        title={`${agent.name}, ${word}`}
      />
    );
  }
  return (
    <To
      to={to}
      className={classes.desk}
      style={style}
      data-presence={presence}
      data-size={size}
      data-faded={isFaded || undefined}
    >
      <span className={classes.seat}>
        <Face name={agent.name} size={FACES[size]} presence={presence} />
      </span>
      <span className={classes.table} aria-hidden="true">
        <span className={classes.screen} />
      </span>
      <span className={classes.name}>{agent.name}</span>
      <span className={classes.at}>{run && presence === 'busy' ? <Doing run={run} /> : word}</span>
    </To>
  );
});

function Doing({ run }: { run: RunView }) {
  const { t } = useTranslation();
  const live = useLiveRun(run.id);
  const calls = useSnapshot((s) => s.calls);
  const doing = doingOf(run.id, calls, live);
  return doing.what === 'tool' ? doing.tool : t(`floor.doing.${doing.what}`);
}
