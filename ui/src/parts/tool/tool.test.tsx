/** Tool output as a person sees it: colours, diffs, gist. Demanded by: TOOL-3, RUN-7, TEXT. */
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { CallView } from '../../api/types';
import { renderPart } from '../../testing/setup';
import { LINE_CHARS_MAX, linesOf, piecesOf, tailOf } from './ansi';
import { gistOf, pretty } from './callText';
import { diffRows, diffSize } from './diff';
import { LogView } from './LogView';
import { ToolCard } from './ToolCard';

afterEach(cleanup);

const E = '\u001b';

test('a colour goes on over the line end until it is reset', () => {
  const lines = linesOf(`${E}[31mred\nstill${E}[0m plain\nplain`);
  const colours = lines.map((line) => piecesOf(line).map((piece) => [piece.text, piece.colour]));
  expect(colours).toEqual([
    [['red', 'red']],
    [
      ['still', 'red'],
      [' plain', ''],
    ],
    [['plain', '']],
  ]);
});

test('a carriage return writes its line anew; other escapes vanish', () => {
  expect(linesOf('10 %\r50 %\r100 %\nok\r\n').map((line) => line.raw)).toEqual(['100 %', 'ok']);
  const noisy = `${E}[2J${E}]0;title\u0007${E}[?25lhello${E}[1A\u0008`;
  expect(linesOf(noisy).map((line) => line.raw)).toEqual(['hello']);
});

test('markup in output stays text', async () => {
  const { container } = await renderPart(
    <LogView text={`<img src=x onerror=alert(1)>${E}[32m<b>x</b>`} label="output" />,
  );
  expect(container.querySelector('img, b')).toBeNull();
  expect(container.textContent).toContain('<b>x</b>');
});

test('a very long line is cut where it is drawn, and says so', async () => {
  const { container } = await renderPart(
    <LogView text={'x'.repeat(LINE_CHARS_MAX + 500)} label="output" />,
  );
  expect(container.textContent).toHaveLength(LINE_CHARS_MAX + '… 500 more characters'.length);
});

test('the tail of output is plain text', () => {
  expect(tailOf(`one\ntwo\n${E}[1mthree${E}[0m\n`, 2)).toBe('two\nthree');
});

test('a unified diff becomes numbered rows; anything else becomes none', () => {
  const rows = diffRows('--- a/x\n+++ b/x\n@@ -2,2 +2,3 @@\n keep\n-old\n+new\n+more\n');
  expect(rows.map((row) => [row.kind, row.text, row.before, row.after])).toEqual([
    ['hunk', '@@ -2,2 +2,3 @@', 0, 0],
    ['same', 'keep', 2, 2],
    ['removed', 'old', 3, 0],
    ['added', 'new', 0, 3],
    ['added', 'more', 0, 4],
  ]);
  expect(diffSize(rows)).toEqual({ added: 2, removed: 1 });
  expect(diffRows('no diff at all')).toEqual([]);
});

test('the gist of a call is its most telling argument', () => {
  expect(gistOf('{"timeout_s":5,"command":"npm  test"}')).toBe('npm test');
  expect(gistOf('{"count":3,"note":"hi"}')).toBe('hi');
  expect(gistOf('{"count":3}')).toBe('');
  expect(gistOf('{"broken')).toBe('{"broken');
  expect(pretty('{"a":1}')).toBe('{\n  "a": 1\n}');
});

const call: CallView = {
  id: 'C-1',
  run: 'R-1',
  agent: 'iris',
  turn: 1,
  index: 0,
  name: 'bash',
  arguments: '{"command":"ls"}',
  state: 'succeeded',
  code: 'ok',
  result: 'head',
  result_bytes: 5_000_000,
  result_path: '',
  artifacts: [{ kind: 'diff', path: 'a.txt', diff: '@@ -1 +1 @@\n-a\n+b\n' }],
  started_at: '2026-03-02T09:00:00Z',
  ended_at: '2026-03-02T09:00:01Z',
  duration_ms: 1000,
};

test('a card opens to arguments, diff and result, and offers the whole of a cut one', async () => {
  const load = vi.fn();
  await renderPart(<ToolCard call={call} whole={{ text: undefined, isLoading: false, load }} />);
  const head = screen.getByRole('button', { name: /bash/ });
  expect(head.getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(head);
  expect(screen.getByText('Arguments')).toBeTruthy();
  expect(screen.getByText('a.txt')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Show the whole result (5.0 MB)' }));
  expect(load).toHaveBeenCalledOnce();
});

test('while a call runs, its card shows the last lines of its output', async () => {
  const running: CallView = {
    ...call,
    state: 'running',
    ended_at: null,
    artifacts: [],
    result: '',
  };
  await renderPart(<ToolCard call={running} output={'1\n2\n3\n4\n'} />);
  expect(screen.getByText(/2\s3\s4/)).toBeTruthy();
  expect(screen.getByRole('img', { name: 'Running' })).toBeTruthy();
});
