/** The feed. */
import { createFileRoute } from '@tanstack/react-router';
import { FeedPage } from '../../pages/feed/FeedPage';
import { feedSearch } from '../../pages/feed/search';
import { onlyKnown } from '../onlyKnown';

export const Route = createFileRoute('/o/$office/feed')({
  validateSearch: onlyKnown(feedSearch),
  component: FeedPage,
});
