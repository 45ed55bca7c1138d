/** The chart stays a tree; an inbox keeps its order; a refusal finds its field. */
import { describe, expect, it } from 'vitest';
import { Problem } from '../../api/problem';
import type { AgentView, ItemView } from '../../api/types';
import { faultsOf } from './faults';
import { inboxOrder, moveTo } from './inbox';
import { layout, managersOf, PEOPLE, whyNotUnder } from './org';

const agents = (managers: Record<string, string>): Record<string, AgentView> =>
  Object.fromEntries(
    Object.entries(managers).map(([name, reports_to]) => [name, { name, reports_to } as AgentView]),
  );
const TREE = { boss: '', lead: 'boss', dev: 'lead', ops: 'boss' };

describe('who may report to whom', () => {
  it('refuses oneself and everybody below', () => {
    expect(whyNotUnder(TREE, 'lead', 'lead')).toBe('self');
    expect(whyNotUnder(TREE, 'boss', 'dev')).toBe('circle');
    expect(whyNotUnder(TREE, 'dev', 'lead')).toBe('same');
    expect(whyNotUnder(TREE, 'dev', 'ops')).toBeNull();
    expect(whyNotUnder(TREE, 'lead', '')).toBeNull();
  });

  it('ends also where the managers already go round in a circle', () => {
    expect(whyNotUnder({ a: 'b', b: 'a', c: '' }, 'c', 'a')).toBeNull();
  });

  it('shows a change at once, and nobody under one who is not there', () => {
    expect(managersOf(agents(TREE), { dev: 'ops' }).dev).toBe('ops');
    expect(managersOf(agents({ a: 'gone' })).a).toBe('');
  });

  it('places managers above those who report to them', () => {
    const y = Object.fromEntries(layout(TREE).map((box) => [box.name, box.y]));
    expect(y[PEOPLE]).toBeLessThan(y.boss ?? 0);
    expect(y.lead).toBeLessThan(y.dev ?? 0);
  });
});

const item = (id: string, change: Partial<ItemView>): [string, ItemView] => [
  id,
  { id, agent: 'pm', state: 'queued', priority: 3, order: 0, ...change } as ItemView,
];

describe('an inbox', () => {
  const items = Object.fromEntries([
    item('a', { order: 2 }),
    item('b', { order: 1 }),
    item('c', { order: 9, priority: 10 }),
    item('d', { state: 'parked' }),
    item('e', { state: 'taken' }),
    item('f', { agent: 'dev' }),
  ]);

  it('goes by priority, then by order', () => {
    const { ranks, parked, taken } = inboxOrder(items, 'pm');
    expect(ranks.map((rank) => rank.items.map((one) => one.id))).toEqual([['c'], ['b', 'a']]);
    expect([parked[0]?.id, taken[0]?.id]).toEqual(['d', 'e']);
  });

  it('shows a wished order at once', () => {
    expect(inboxOrder(items, 'pm', { 3: ['a', 'b'] }).ranks[1]?.items[0]?.id).toBe('a');
  });

  it('names the item before which the moved one comes', () => {
    const three = ['x', 'y', 'z'].map((id) => item(id, {})[1]);
    expect(moveTo(three, 2, 0)).toEqual({ order: ['z', 'x', 'y'], before: 'x' });
    expect(moveTo(three, 0, 2)).toEqual({ order: ['y', 'z', 'x'], before: null });
    expect(moveTo(three, 1, 1)).toBeNull();
    expect(moveTo(three, 2, 3)).toBeNull();
  });
});

describe('a refusal', () => {
  const refused = (message: string, errors: Problem['errors'] = []) =>
    new Problem({ status: 422, code: 'invalid', message, retryable: false, hint: '', errors });

  it('stands at the field that it names', () => {
    const problem = refused('$.thinking: bad', [{ field: '$.thinking', message: 'bad' }]);
    expect(faultsOf(problem, ['model', 'thinking']).fields).toEqual({ thinking: 'bad' });
  });

  it('loses the place in the file, and finds the field by what it says', () => {
    const problem = refused('/x/office.yaml:22:17: Managers go round in a circle: a → b → a.');
    expect(faultsOf(problem, ['reports_to', 'model']).fields).toEqual({
      reports_to: 'Managers go round in a circle: a → b → a.',
    });
  });

  it('stands above the form when it is about no field', () => {
    const problem = new Problem({
      status: 403,
      code: 'denied',
      message: 'Only the owner may.',
      retryable: false,
      hint: '',
    });
    expect(faultsOf(problem, ['model'])).toEqual({ fields: {}, form: 'Only the owner may.' });
  });
});
