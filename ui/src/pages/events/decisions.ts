/** Decisions of the attention filter, in the order in which a person reads them. */
import type { Decision } from '../../api/types';

/** Those it woke first, then by how nearly it woke the others. */
export function inOrder(decisions: readonly Decision[]): Decision[] {
  return [...decisions].sort(
    (a, b) =>
      Number(b.accepted) - Number(a.accepted) ||
      b.score - b.threshold - (a.score - a.threshold) ||
      a.agent.localeCompare(b.agent),
  );
}

/** Where score and threshold stand on a bar, in percent; both fit on it. */
export function onBar({ score, threshold }: Pick<Decision, 'score' | 'threshold'>): {
  score: number;
  threshold: number;
} {
  const most = Math.max(1, score, threshold);
  const percent = (value: number) => Math.min(100, Math.max(0, (value / most) * 100));
  return { score: percent(score), threshold: percent(threshold) };
}
