/** Lists show what was said, not how it was marked up. */
import { expect, test } from 'vitest';
import { gist, headAndRest } from './gist';

test.each([
  ['plain words', 'plain words'],
  ['Done:\n\n- one\n- `two.md`\n- **three**', 'Done: one · two.md · three'],
  ['# Title\n\nWords [here](https://a.example), hard\nwrapped.', 'Title Words here, hard wrapped.'],
  ['```python\nprint(1)\n```', 'print(1)'],
  ['2 * 3 * 4, snake_case_name and a-b', '2 * 3 * 4, snake_case_name and a-b'],
  ['1. first\n2. second', '1. first · second'],
  ['', ''],
])('%j says %j', (markdown, plain) => {
  expect(gist(markdown)).toBe(plain);
});

test('a title and what it is about are told apart', () => {
  expect(headAndRest('T-6 Look\nWhether `a` is\ngone')).toEqual(['T-6 Look', 'Whether a is gone']);
  expect(headAndRest('only')).toEqual(['only', '']);
});
