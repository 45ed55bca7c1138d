/** The picture: rooms with desks, and lines between those who talk with each other. */
import { useElementSize } from '@mantine/hooks';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { AgentView } from '../../api/types';
import { usePlace } from '../../parts/place';
import { type Presence, presenceOf } from '../../parts/presence';
import { useTick } from '../../parts/useTick';
import { useSnapshot } from '../../stream/hooks';
import { DeskView } from './DeskView';
import classes from './Floor.module.css';
import { curve, type Desk, planOf, talksOf } from './plan';

interface Props {
  agents: readonly AgentView[];
  /** The state that is looked for; the others keep their places, faded. */
  lit: Presence | undefined;
}

/** Talk older than this has faded. */
export const TALK_MS = 600_000;
/** Talk within this is happening now. */
const FRESH_MS = 20_000;

export function Picture({ agents, lit }: Props) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  // Places depend on who works here, not on what they do at the moment.
  const key = agents.map(({ name, group, reports_to }) => [name, group, reports_to]);
  const shape = JSON.stringify(key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape stands for the agents
  const plan = useMemo(() => planOf(agents, Math.max(300, width)), [shape, width]);
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  const desks = useMemo(
    () => new Map(plan.rooms.flatMap((room) => room.desks).map((desk) => [desk.agent, desk])),
    [plan],
  );
  return (
    <div ref={ref} className={classes.floor} style={{ height: plan.height }}>
      {width > 0 &&
        plan.rooms.map((room) => {
          const busy = room.desks.filter(
            (desk) => byName.get(desk.agent)?.activity === 'busy',
          ).length;
          const name = room.group || t('floor.room');
          return (
            <section key={room.group} aria-label={name}>
              <div
                className={classes.room}
                style={{ left: room.x, top: room.y, width: room.width, height: room.height }}
              >
                <h2 className={classes.roomName}>{name}</h2>
                <span className={classes.roomCount}>
                  {t('floor.room_count', { busy, count: room.desks.length })}
                </span>
              </div>
              {room.desks.map((desk) => {
                const agent = byName.get(desk.agent);
                return (
                  agent && (
                    <DeskView
                      key={agent.name}
                      agent={agent}
                      x={desk.x}
                      y={desk.y}
                      size={plan.size}
                      isFaded={lit !== undefined && presenceOf(agent) !== lit}
                    />
                  )
                );
              })}
            </section>
          );
        })}
      <Lines desks={desks} size={plan.size} height={plan.height} />
    </div>
  );
}

interface LinesProps {
  desks: ReadonlyMap<string, Desk>;
  size: Parameters<typeof curve>[2];
  height: number;
}

/** Said in words below the picture, so the lines are decoration here. */
function Lines({ desks, size, height }: LinesProps) {
  const { now } = usePlace();
  useTick(5_000);
  const threads = useSnapshot((s) => s.threads);
  return (
    <svg className={classes.lines} width="100%" height={height} aria-hidden="true">
      {talksOf(threads, now(), TALK_MS).map(({ thread, from, to, age }) => {
        const [a, b] = [desks.get(from), desks.get(to)];
        if (a === undefined || b === undefined) return null;
        return (
          <path
            key={thread.id}
            className={classes.line}
            data-fresh={age < FRESH_MS || undefined}
            d={curve(a, b, size)}
            opacity={Math.max(0.15, 1 - age / TALK_MS)}
          />
        );
      })}
    </svg>
  );
}
