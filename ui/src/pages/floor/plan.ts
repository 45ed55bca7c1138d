/** Where everybody sits: rooms by group, desks in rows, smaller the more there are. Pure. */
import type { AgentView, ThreadView } from '../../api/types';

export type DeskSize = 'large' | 'small' | 'dot';

interface Measure {
  width: number;
  height: number;
  gap: number;
}

export const DESKS: Record<DeskSize, Measure> = {
  large: { width: 148, height: 132, gap: 14 },
  small: { width: 96, height: 84, gap: 8 },
  dot: { width: 26, height: 26, gap: 5 },
};
const HEAD = 44;
const PADDING = 18;
const BETWEEN = 18;

export interface Desk {
  agent: string;
  x: number;
  y: number;
}

export interface Room {
  group: string;
  x: number;
  y: number;
  width: number;
  height: number;
  desks: Desk[];
}

export interface Plan {
  size: DeskSize;
  rooms: Room[];
  height: number;
}

export function deskSize(count: number): DeskSize {
  if (count <= 60) return 'large';
  return count <= 240 ? 'small' : 'dot';
}

/** Desks keep their places: groups by name, agents by rank (managers first) and name. */
export function planOf(agents: readonly AgentView[], width: number): Plan {
  const size = deskSize(agents.length);
  const groups = new Map<string, AgentView[]>();
  for (const agent of agents) {
    groups.set(agent.group, [...(groups.get(agent.group) ?? []), agent]);
  }
  const managers = new Set(agents.map((agent) => agent.reports_to));
  const names = [...groups.keys()].sort((a, b) => a.localeCompare(b));
  const rooms: Room[] = [];
  let x = 0;
  let y = 0;
  let lineHeight = 0;
  for (const group of names) {
    const members = (groups.get(group) ?? []).sort(
      (a, b) =>
        Number(managers.has(b.name)) - Number(managers.has(a.name)) || a.name.localeCompare(b.name),
    );
    const room = roomOf(group, members, { size, width, isOnly: names.length === 1 });
    if (x > 0 && x + room.width > width) {
      x = 0;
      y += lineHeight + BETWEEN;
      lineHeight = 0;
    }
    rooms.push(at(room, x, y));
    x += room.width + BETWEEN;
    lineHeight = Math.max(lineHeight, room.height);
  }
  return { size, rooms, height: y + lineHeight };
}

interface RoomSpace {
  size: DeskSize;
  width: number;
  /** The only room takes the whole width. */
  isOnly: boolean;
}

function roomOf(group: string, members: readonly AgentView[], space: RoomSpace): Room {
  const { size, width, isOnly } = space;
  const { width: w, height: h, gap } = DESKS[size];
  const fit = Math.max(1, Math.floor((width - 2 * PADDING + gap) / (w + gap)));
  const wished = Math.max(size === 'dot' ? 12 : 3, Math.ceil(Math.sqrt(members.length * 2)));
  const columns = isOnly ? fit : Math.min(fit, wished);
  const rows = Math.ceil(members.length / columns);
  return {
    group,
    x: 0,
    y: 0,
    width: isOnly ? width : Math.min(width, 2 * PADDING + columns * w + (columns - 1) * gap),
    height: HEAD + PADDING + rows * h + (rows - 1) * gap,
    desks: members.map(({ name }, index) => ({
      agent: name,
      x: PADDING + (index % columns) * (w + gap),
      y: HEAD + Math.floor(index / columns) * (h + gap),
    })),
  };
}

const at = (room: Room, x: number, y: number): Room => ({
  ...room,
  x,
  y,
  desks: room.desks.map((desk) => ({ ...desk, x: desk.x + x, y: desk.y + y })),
});

export interface Talk {
  thread: ThreadView;
  /** The two ends. */
  from: string;
  to: string;
  /** Milliseconds since the last message. */
  age: number;
}

/** Conversations between agents in which something was said lately, newest first. */
export function talksOf(
  threads: Readonly<Record<string, ThreadView>>,
  now: number,
  withinMs: number,
): Talk[] {
  return Object.values(threads)
    .flatMap((thread) => {
      const [a, b] = thread.members;
      if (thread.kind !== 'internal' || !thread.last_at || !a || !b) return [];
      const age = Math.max(0, now - Date.parse(thread.last_at));
      if (age > withinMs) return [];
      const isFromB = thread.last_author === b;
      return [{ thread, from: isFromB ? b : a, to: isFromB ? a : b, age }];
    })
    .sort((x, y) => x.age - y.age);
}

/** A curve from the middle of one desk to the middle of the other. */
export function curve(from: Desk, to: Desk, size: DeskSize): string {
  const { width, height } = DESKS[size];
  const [x1, y1] = [from.x + width / 2, from.y + height * 0.3];
  const [x2, y2] = [to.x + width / 2, to.y + height * 0.3];
  const lift = Math.min(70, 18 + Math.hypot(x2 - x1, y2 - y1) * 0.14);
  return `M${x1} ${y1} Q${(x1 + x2) / 2} ${Math.min(y1, y2) - lift} ${x2} ${y2}`;
}
