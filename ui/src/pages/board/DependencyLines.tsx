/** Draws who waits for whom: for the card under the pointer or in focus, or for all. */
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import type { TaskView } from '../../api/types';
import classes from './Board.module.css';

interface Props {
  board: RefObject<HTMLDivElement | null>;
  tasks: readonly TaskView[];
  all: boolean;
}

interface Line {
  key: string;
  path: string;
  isOpen: boolean;
}

const cardOf = (board: HTMLElement, id: string) =>
  board.querySelector<HTMLElement>(`[data-task="${CSS.escape(id)}"]`);

/** A curve from the right edge of one card to the left edge of the other, or around when they share a column. */
function curve(board: HTMLElement, from: DOMRect, to: DOMRect): string {
  const frame = board.getBoundingClientRect();
  const left = board.scrollLeft - frame.left;
  const forth = from.right <= to.left;
  const x1 = (forth ? from.right : from.left) + left;
  const x2 = (forth ? to.left : to.right <= from.left ? to.right : to.left) + left;
  const y1 = from.top + from.height / 2 - frame.top;
  const y2 = to.top + to.height / 2 - frame.top;
  const bend = Math.max(28, Math.abs(x2 - x1) / 2);
  const out = forth ? bend : -bend;
  const back = forth ? -bend : to.right <= from.left ? bend : -bend;
  return `M${x1} ${y1} C${x1 + out} ${y1} ${x2 + back} ${y2} ${x2} ${y2}`;
}

function linesOf(board: HTMLElement, tasks: readonly TaskView[], only: string | null): Line[] {
  const known = new Map(tasks.map((task) => [task.id, task]));
  const lines: Line[] = [];
  for (const task of tasks) {
    for (const id of task.depends_on) {
      if (only !== null && only !== task.id && only !== id) continue;
      const from = cardOf(board, id);
      const to = cardOf(board, task.id);
      if (from === null || to === null) continue;
      lines.push({
        key: `${id}>${task.id}`,
        path: curve(board, from.getBoundingClientRect(), to.getBoundingClientRect()),
        isOpen: known.get(id)?.status !== 'done',
      });
    }
  }
  return lines;
}

/** The card under the pointer, or in focus. */
function useInHand(board: RefObject<HTMLDivElement | null>): string | null {
  const [inHand, setInHand] = useState<string | null>(null);
  useEffect(() => {
    const box = board.current;
    if (box === null) return;
    const stop = new AbortController();
    const see = (event: Event) => {
      const card = (event.target as Element).closest?.('[data-task]');
      setInHand(card?.getAttribute('data-task') ?? null);
    };
    box.addEventListener('pointerover', see, { signal: stop.signal });
    box.addEventListener('focusin', see, { signal: stop.signal });
    box.addEventListener('pointerleave', () => setInHand(null), { signal: stop.signal });
    return () => stop.abort();
  }, [board]);
  return inHand;
}

export function DependencyLines({ board, tasks, all }: Props) {
  const inHand = useInHand(board);
  const [lines, setLines] = useState<Line[]>([]);
  const shown = all || inHand !== null;
  useLayoutEffect(() => {
    const box = board.current;
    if (box === null || !shown) {
      setLines([]);
      return;
    }
    const draw = () => setLines(linesOf(box, tasks, all ? null : inHand));
    draw();
    const stop = new AbortController();
    box.addEventListener('scroll', draw, { capture: true, passive: true, signal: stop.signal });
    addEventListener('resize', draw, { signal: stop.signal });
    return () => stop.abort();
  }, [board, tasks, all, inHand, shown]);
  if (lines.length === 0) return null;
  return (
    <svg className={classes.lines} width="1" height="1" aria-hidden="true">
      {lines.map((line) => (
        <path
          key={line.key}
          d={line.path}
          className={classes.line}
          data-open={line.isOpen || undefined}
        />
      ))}
    </svg>
  );
}
