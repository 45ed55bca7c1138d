/** Small pure parts: drafts, faces, addresses, presence, files. Demanded by: PLAT-5, WORK-3. */
import { expect, test, vi } from 'vitest';
import { draftStore } from './drafts';
import { kindOf, languageOf } from './files/kinds';
import { hueOf, initials } from './identity';
import { paths, threadPath } from './paths';
import { presenceOf } from './presence';

test('a draft is kept per office and box, and forgotten when empty', () => {
  const draft = draftStore('acme', 'dm:iris');
  draft.write('half a thought');
  expect(draftStore('acme', 'dm:iris').read()).toBe('half a thought');
  expect(draftStore('acme', 'dm:juno').read()).toBe('');
  expect(draftStore('other', 'dm:iris').read()).toBe('');
  draft.write('  ');
  expect(draft.read()).toBe('');
});

test('without storage the box still works', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  expect(() => draftStore('acme', 'x').write('text')).not.toThrow();
});

test('initials tell colleagues apart, in any script', () => {
  expect(['pm', 'data-engineer', 'developer', 'designer', '文案', 'a', ''].map(initials)).toEqual([
    'PM',
    'DE',
    'DV',
    'DS',
    '文',
    'A',
    '?',
  ]);
  expect(hueOf('iris')).toBe(hueOf('iris'));
});

test('addresses are escaped', () => {
  expect(paths.dm('acme', 'a/b c')).toBe('/o/acme/dm/a%2Fb%20c');
  expect(paths.files('acme', 'iris', 'a b/ü.html')).toBe(
    '/o/acme/files?agent=iris&path=a+b%2F%C3%BC.html',
  );
  expect(threadPath('acme', { id: 'H-1', kind: 'channel', name: 'general' }, 4)).toBe(
    '/o/acme/channels/general?n=4',
  );
});

test('presence names the worst first', () => {
  expect(presenceOf({ duty: 'off_duty', activity: 'stuck' })).toBe('stuck');
  expect(presenceOf({ duty: 'off_duty', activity: 'idle' })).toBe('off');
  expect(presenceOf({ duty: 'wait', activity: 'idle' })).toBe('wait');
  expect(presenceOf({ duty: 'wait', activity: 'busy' })).toBe('busy');
});

test('files are looked at by what they are', () => {
  expect(['a.PNG', 'b.md', 'c.html', 'Makefile', 'd.zip', '.env'].map(kindOf)).toEqual([
    'image',
    'markdown',
    'html',
    'text',
    'binary',
    'text',
  ]);
  expect(languageOf('x/y.tsx')).toBe('typescript');
});
