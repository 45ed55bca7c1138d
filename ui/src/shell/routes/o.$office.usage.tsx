/** Money and tokens. */
import { createFileRoute } from '@tanstack/react-router';
import { usageSearch } from '../../pages/usage/search';
import { UsagePage } from '../../pages/usage/UsagePage';
import { onlyKnown } from '../onlyKnown';

export const Route = createFileRoute('/o/$office/usage')({
  validateSearch: onlyKnown(usageSearch),
  component: UsagePage,
});
