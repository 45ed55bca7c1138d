/** Where the tour's card stands beside what it speaks of. Pure. */

export interface Box {
  top: number;
  left: number;
  width: number;
  height: number;
}

export interface Screen {
  width: number;
  height: number;
}

const GAP = 14;
const EDGE = 12;

/** Right of it, below it or above it, wherever there is room; in the middle when there is nothing to stand beside. */
export function placeCard(
  card: Screen,
  anchor: Box | null,
  screen: Screen,
): { top: number; left: number } {
  const within = (value: number, size: number, room: number) =>
    Math.max(EDGE, Math.min(value, room - size - EDGE));
  if (anchor === null) {
    return { top: (screen.height - card.height) / 2, left: (screen.width - card.width) / 2 };
  }
  const right = anchor.left + anchor.width + GAP;
  if (right + card.width + EDGE <= screen.width) {
    return { top: within(anchor.top, card.height, screen.height), left: right };
  }
  const left = within(anchor.left, card.width, screen.width);
  const below = anchor.top + anchor.height + GAP;
  if (below + card.height + EDGE <= screen.height) return { top: below, left };
  return { top: within(anchor.top - GAP - card.height, card.height, screen.height), left };
}
