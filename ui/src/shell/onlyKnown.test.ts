/** A value that a page leaves out does not come through by another way. */
import { expect, test } from 'vitest';
import { feedSearch } from '../pages/feed/search';
import { onlyKnown } from './onlyKnown';

test('what a page does not take is laid over with nothing', () => {
  const raw = { kinds: 'nonsense', agent: 'pm', x: 1 };
  const seen = { ...raw, ...onlyKnown(feedSearch)(raw) };
  expect(seen).toEqual({ agent: 'pm', kinds: undefined, x: undefined });
});
