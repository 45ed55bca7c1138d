/** Where everybody sits: rooms by group, desks in rows, smaller the more there are. Pure. */
import type { AgentView, ThreadView } from '../../api/types';

export type DeskSize = 'roomy' | 'large' | 'small' | 'dot';

interface Measure {
  width: number;
  height: number;
  gap: number;
}

export const DESKS: Record<DeskSize, Measure> = {
  roomy: { width: 176, height: 176, gap: 22 },
  large: { width: 128, height: 124, gap: 14 },
  small: { width: 96, height: 84, gap: 8 },
  dot: { width: 26, height: 26, gap: 5 },
};
const ROOMY_AGENTS = 12;
const ROOMY_WIDTH = 900;
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

/** A few have room, where the screen has it. */
export function deskSize(count: number, width: number): DeskSize {
  if (count <= ROOMY_AGENTS && width >= ROOMY_WIDTH) return 'roomy';
  if (count <= 60) return 'large';
  return count <= 240 ? 'small' : 'dot';
}

/** Desks keep their places: groups by name, agents by rank (managers first) and name. */
export function planOf(agents: readonly AgentView[], width: number): Plan {
  const size = deskSize(agents.length, width);
  const groups = new Map<string, AgentView[]>();
  for (const agent of agents) {
    groups.set(agent.group, [...(groups.get(agent.group) ?? []), agent]);
  }
  const managers = new Set(agents.map((agent) => agent.reports_to));
  const names = [...groups.keys()].sort((a, b) => a.localeCompare(b));
  const wishes = names.map((group) => ({
    group,
    members: (groups.get(group) ?? []).sort(
      (a, b) =>
        Number(managers.has(b.name)) - Number(managers.has(a.name)) || a.name.localeCompare(b.name),
    ),
  }));
  const rooms: Room[] = [];
  let y = 0;
  for (const row of rowsOf(wishes, size, width)) {
    rooms.push(...rowOfRooms(row, { size, width, y }));
    y = Math.max(...rooms.map((room) => room.y + room.height)) + BETWEEN;
  }
  return { size, rooms, height: Math.max(0, y - BETWEEN) };
}

interface Wish {
  group: string;
  members: readonly AgentView[];
}

const columnsWide = (columns: number, { width, gap }: Measure): number =>
  2 * PADDING + columns * width + (columns - 1) * gap;

/** Columns that a room of so many would have if it could choose: about twice as wide as high. */
const wishedColumns = (size: DeskSize, count: number): number =>
  Math.max(size === 'dot' ? 12 : 2, Math.ceil(Math.sqrt(count * 2)));

/** Which rooms stand side by side. */
function rowsOf(wishes: readonly Wish[], size: DeskSize, width: number): Wish[][] {
  const rows: Wish[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const wish of wishes) {
    const wide = columnsWide(wishedColumns(size, wish.members.length), DESKS[size]);
    if (used + BETWEEN + wide > width) {
      rows.push([]);
      used = -BETWEEN;
    }
    rows.at(-1)?.push(wish);
    used += BETWEEN + wide;
  }
  return rows;
}

interface RowPlace {
  size: DeskSize;
  width: number;
  y: number;
}

/** Rooms side by side share the whole width, and are equally high. */
function rowOfRooms(row: readonly Wish[], { size, width, y }: RowPlace): Room[] {
  const wishes = row.map(({ members }) =>
    columnsWide(wishedColumns(size, members.length), DESKS[size]),
  );
  const sum = wishes.reduce((all, one) => all + one, 0);
  const free = width - BETWEEN * (row.length - 1);
  let x = 0;
  const rooms = row.map((wish, index) => {
    const room = roomOf(wish, { size, x, y, width: (free * (wishes[index] ?? 0)) / sum });
    x += room.width + BETWEEN;
    return room;
  });
  const height = Math.max(...rooms.map((room) => room.height));
  return rooms.map((room) => ({ ...room, height }));
}

interface RoomPlace extends RowPlace {
  x: number;
}

/** The desks stand in the middle of the room, as many side by side as it is wide. */
function roomOf({ group, members }: Wish, { size, x, y, width }: RoomPlace): Room {
  const { width: w, height: h, gap } = DESKS[size];
  const fit = Math.max(1, Math.floor((width - 2 * PADDING + gap) / (w + gap)));
  const rows = Math.ceil(members.length / fit);
  const columns = Math.ceil(members.length / rows);
  const left = Math.max(0, (width - columnsWide(columns, DESKS[size])) / 2) + PADDING;
  return {
    group,
    x,
    y,
    width,
    height: HEAD + PADDING + rows * h + (rows - 1) * gap,
    desks: members.map(({ name }, index) => ({
      agent: name,
      x: Math.round(x + left + (index % columns) * (w + gap)),
      y: y + HEAD + Math.floor(index / columns) * (h + gap),
    })),
  };
}

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

/** An arc between two desks: from head to head above everybody in a row, past the desks between two rows. */
export function curve(from: Desk, to: Desk, size: DeskSize): string {
  const { width } = DESKS[size];
  const top = size === 'dot' ? 4 : 6;
  const [x1, y1, x2, y2] = [from.x + width / 2, from.y + top, to.x + width / 2, to.y + top];
  const [middleX, middleY] = [(x1 + x2) / 2, (y1 + y2) / 2];
  const apart = Math.hypot(x2 - x1, y2 - y1);
  if (Math.abs(y1 - y2) < 1) {
    const lift = Math.min(56, 26 + apart * 0.05);
    return `M${x1} ${y1} Q${middleX} ${y1 - lift} ${x2} ${y2}`;
  }
  const bend = Math.min(width * 0.75, 30 + apart * 0.2) * (x2 >= x1 ? 1 : -1);
  return `M${x1} ${y1} Q${middleX + bend} ${middleY} ${x2} ${y2}`;
}
