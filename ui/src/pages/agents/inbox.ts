/** An inbox in the order in which it is worked off, and where an item may go in it. */
import type { ItemView } from '../../api/types';

/** Items of one priority, in order. Only within it can they be moved. */
export interface Rank {
  priority: number;
  items: ItemView[];
}

export interface InboxOrder {
  taken: ItemView[];
  ranks: Rank[];
  parked: ItemView[];
}

export function inboxOrder(
  items: Readonly<Record<string, ItemView>>,
  agent: string,
  moved: Readonly<Record<string, readonly string[]>> = {},
): InboxOrder {
  const own = Object.values(items).filter((item) => item.agent === agent);
  const waiting = own
    .filter((item) => item.state === 'queued' || item.state === 'paused')
    .sort((a, b) => a.order - b.order || a.id.localeCompare(b.id));
  const priorities = [...new Set(waiting.map((item) => item.priority))].sort((a, b) => b - a);
  return {
    taken: own.filter((item) => item.state === 'taken'),
    ranks: priorities.map((priority) => ({
      priority,
      items: inOrder(
        waiting.filter((item) => item.priority === priority),
        moved[priority],
      ),
    })),
    parked: own.filter((item) => item.state === 'parked'),
  };
}

/** In the wished order; what is new since then comes last. */
function inOrder(items: ItemView[], wished: readonly string[] | undefined): ItemView[] {
  if (wished === undefined) return items;
  const place = (item: ItemView) => {
    const at = wished.indexOf(item.id);
    return at < 0 ? wished.length : at;
  };
  return [...items].sort((a, b) => place(a) - place(b));
}

export interface Move {
  /** Ids in the new order. */
  order: string[];
  /** The item it now stands before; null at the end. */
  before: string | null;
}

/** The order after one item has gone to another place; null when nothing changes. */
export function moveTo(items: readonly ItemView[], from: number, to: number): Move | null {
  const order = items.map((item) => item.id);
  if (from === to || to < 0 || to >= order.length) return null;
  const [id] = order.splice(from, 1);
  if (id === undefined) return null;
  order.splice(to, 0, id);
  return { order, before: order[to + 1] ?? null };
}
