/** The feed. */
import { createFileRoute } from '@tanstack/react-router';
import { FeedPage } from '../../pages/feed/FeedPage';
import { feedSearch } from '../../pages/feed/search';

export const Route = createFileRoute('/o/$office/feed')({
  validateSearch: feedSearch,
  component: FeedPage,
});
