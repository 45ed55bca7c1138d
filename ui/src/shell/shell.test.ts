/** Pure parts of the shell: tokens, the palette's search, the sidebar. Demanded by: PLAT-1, PLAT-5. */
import { expect, test } from 'vitest';
import type { AgentView, ThreadView } from '../api/types';
import { ENTRIES } from '../testing/wire';
import { sidebarThreads } from './layout/sidebarThreads';
import { NAV } from './nav';
import { noticeOf } from './notices';
import { matches } from './palette/match';
import { takeTokenFromAddress, tokenIn, waitingToken } from './signin/token';
import { placeCard } from './tour/place';

test('a token is found in a link, in a fragment, or bare', () => {
  expect(tokenIn(' http://127.0.0.1:8787/sign-in#token=aB-9_x ')).toBe('aB-9_x');
  expect(tokenIn('#token=a%2Bb')).toBe('a+b');
  expect(tokenIn('aB-9_xyz')).toBe('aB-9_xyz');
  expect(tokenIn('just some words')).toBe('');
  expect(tokenIn('')).toBe('');
});

test('the token leaves the address at once and is given out once', () => {
  history.replaceState(null, '', '/sign-in#token=secret1');
  takeTokenFromAddress();
  expect(location.href).not.toContain('secret1');
  expect(waitingToken()).toBe('secret1');
  expect(waitingToken()).toBe('');
});

test('the palette finds by words in any order', () => {
  expect(matches('page land', 'Landing page', 'done')).toBe(true);
  expect(matches('page lunch', 'Landing page')).toBe(false);
  expect(matches('', 'anything')).toBe(true);
});

test('every page has a letter of its own', () => {
  const letters = NAV.map((entry) => entry.letter);
  expect(new Set([...letters, 'm', 'g']).size).toBe(letters.length + 2);
});

const thread = (id: string, kind: ThreadView['kind'], name: string, person = ''): ThreadView => ({
  id,
  kind,
  name,
  title: name,
  description: '',
  members: [],
  person,
  messages: 0,
  last_at: null,
  last_text: '',
  last_author: '',
  cleared_before: 0,
});

test('the sidebar shows my own conversations, not those of others', () => {
  const agents = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`a${n}`, { name: `a${n}` } as AgentView]),
  );
  const mine = thread('H-1', 'dm', 'a39', 'ada');
  const lists = sidebarThreads(
    {
      mine: { ...mine, last_at: '2026-03-02T09:00:00Z' },
      other: thread('H-2', 'dm', 'a1', 'ben'),
      general: thread('H-3', 'channel', 'general'),
    },
    agents,
    'ada',
  );
  expect(lists.agents[0]).toMatchObject({ agent: { name: 'a39' }, dm: { id: 'H-1' } });
  expect(lists.agents.filter((one) => one.dm !== undefined)).toHaveLength(1);
  expect(lists.agents).toHaveLength(30);
  expect(lists.more).toBe(10);
  expect(lists.channels.map((one) => one.name)).toEqual(['general']);
});

test('a notice calls for what needs a person, not for what the person did', () => {
  const alert = ENTRIES.find((one) => one.entry.kind === 'alert_changed');
  if (alert?.entry.kind !== 'alert_changed') throw new Error('no sample');
  const open = { ...alert.entry.alert, severity: 'error', acknowledged_by: '', task: '' } as const;
  const raised = { ...alert, entry: { kind: 'alert_changed', alert: open } } as const;
  expect(noticeOf('acme', 'ada', raised)).toMatchObject({ key: 'alert', body: open.text });
  const seen = { ...open, acknowledged_by: 'ada' };
  expect(
    noticeOf('acme', 'ada', { ...raised, entry: { ...raised.entry, alert: seen } }),
  ).toBeNull();
});

test('a blocked card calls once: not again by its alert, nor by what the person does', () => {
  const moved = ENTRIES.find((one) => one.entry.kind === 'task_changed');
  const alert = ENTRIES.find((one) => one.entry.kind === 'alert_changed');
  if (moved?.entry.kind !== 'task_changed' || alert?.entry.kind !== 'alert_changed') {
    throw new Error('no sample');
  }
  const task = { ...moved.entry.task, status: 'blocked' } as const;
  const asked = (actor: string, change: string) =>
    noticeOf('acme', 'ada', { ...moved, actor, entry: { kind: 'task_changed', task, change } });
  expect(asked('agent:iris', 'blocked')).toMatchObject({ key: 'blocked' });
  expect(asked('agent:iris', 'edited')).toBeNull();
  expect(asked('person:ada', 'blocked')).toBeNull();
  const heldUp = { ...task, blocked_by: ['T-1'] };
  expect(
    noticeOf('acme', 'ada', {
      ...moved,
      entry: { kind: 'task_changed', task: heldUp, change: 'blocked' },
    }),
  ).toBeNull();
  const again = { ...alert.entry.alert, code: 'task_blocked', acknowledged_by: '' };
  expect(
    noticeOf('acme', 'ada', { ...alert, entry: { kind: 'alert_changed', alert: again } }),
  ).toBeNull();
});

test('the tour stands beside what it speaks of, and always on the screen', () => {
  const card = { width: 340, height: 180 };
  const screen = { width: 1440, height: 900 };
  const button = { top: 80, left: 10, width: 230, height: 32 };
  expect(placeCard(card, button, screen)).toEqual({ top: 80, left: 254 });
  expect(placeCard(card, { ...button, left: 1200 }, screen)).toEqual({ top: 126, left: 1088 });
  expect(placeCard(card, null, { width: 390, height: 844 })).toEqual({ top: 332, left: 25 });
  const low = placeCard(card, { ...button, left: 1200, top: 860 }, screen);
  expect(low.top + card.height).toBeLessThan(860);
});
