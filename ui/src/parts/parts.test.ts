/** Small pure parts: drafts, faces, addresses, presence, files. Demanded by: PLAT-5, WORK-3. */
import { expect, test, vi } from 'vitest';
import { draftStore } from './drafts';
import { inlinePage, resolvePath } from './files/inline';
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

test('references of a page resolve within the workspace only', () => {
  expect(resolvePath('site/index.html', 'style.css?v=2')).toBe('site/style.css');
  expect(resolvePath('site/index.html', '../logo.png')).toBe('logo.png');
  expect(resolvePath('site/index.html', '/a/b.css')).toBe('a/b.css');
  for (const away of ['../../etc/passwd', 'https://evil.example/x', '//evil', '']) {
    expect(resolvePath('site/index.html', away)).toBeNull();
  }
});

test('a previewed page holds its own styles and pictures, and asks nobody for anything', async () => {
  const page =
    '<html><head><base href="https://evil.example"><link rel="stylesheet" href="style.css">' +
    '<link rel="stylesheet" href="https://evil.example/x.css"><script>x</script></head>' +
    '<body><img src="a.png"><img src="https://evil.example/b.png" srcset="x 2x">' +
    '<iframe src="//evil"></iframe></body></html>';
  const html = await inlinePage(page, 'site/index.html', {
    text: (path) => Promise.resolve(`/* ${path} */`),
    data: (path) => Promise.resolve(`data:image/png;base64,${path}`),
  });
  expect(html).toContain('/* site/style.css */');
  expect(html).toContain('data:image/png;base64,site/a.png');
  expect(html).not.toMatch(/evil|<script|<iframe|srcset|<base/);
});
