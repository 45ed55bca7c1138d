/** The routes. */
import { expect, test } from 'vitest';
import { Route } from './index';

test('the first page is drawn by a component of its own', () => {
  expect(Route.options.component).toBeTypeOf('function');
});
