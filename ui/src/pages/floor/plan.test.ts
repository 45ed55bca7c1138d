/** Desks do not overlap and stay inside; talk fades. */
import { describe, expect, it } from 'vitest';
import type { AgentView, ThreadView } from '../../api/types';
import { DESKS, deskSize, planOf, talksOf } from './plan';

const staff = (count: number, groups: number): AgentView[] =>
  Array.from(
    { length: count },
    (_, n) => ({ name: `a${n}`, group: `g${n % groups}`, reports_to: '' }) as AgentView,
  );

describe('planOf', () => {
  it.each([
    [5, 1, 390],
    [5, 1, 1100],
    [50, 4, 1440],
    [200, 9, 768],
    [1000, 12, 1440],
  ])('gives %i agents in %i groups a desk each within %i pixels', (count, groups, width) => {
    const plan = planOf(staff(count, groups), width);
    const desks = plan.rooms.flatMap((room) => room.desks);
    const { width: w, height: h } = DESKS[plan.size];
    expect(desks).toHaveLength(count);
    expect(new Set(desks.map((desk) => `${desk.x},${desk.y}`)).size).toBe(count);
    for (const desk of desks) {
      expect(desk.x).toBeGreaterThanOrEqual(0);
      expect(desk.x + w).toBeLessThanOrEqual(width);
      expect(desk.y + h).toBeLessThanOrEqual(plan.height);
    }
  });

  it('makes desks smaller the more there are', () => {
    const sizes = [5, 50, 100, 1000].map((count) => deskSize(count, 1440));
    expect(sizes).toEqual(['roomy', 'large', 'small', 'dot']);
    expect(deskSize(5, 390)).toBe('large');
  });
});

it('shows only talk between agents, the newest first, and none that is old', () => {
  const talk = (id: string, seconds: number, change: Partial<ThreadView> = {}) =>
    ({
      id,
      kind: 'internal',
      members: ['a', 'b'],
      last_author: 'b',
      last_at: new Date(100_000 - seconds * 1000).toISOString(),
      ...change,
    }) as ThreadView;
  const threads = Object.fromEntries(
    [talk('old', 99), talk('new', 5), talk('mid', 20), talk('dm', 1, { kind: 'dm' })].map((one) => [
      one.id,
      one,
    ]),
  );
  const talks = talksOf(threads, 100_000, 60_000);
  expect(talks.map((one) => one.thread.id)).toEqual(['new', 'mid']);
  expect(talks[0]).toMatchObject({ from: 'b', to: 'a', age: 5000 });
});
