/** Message search. */
import { createFileRoute } from '@tanstack/react-router';
import { SearchPage } from '../../pages/search/SearchPage';
import { searchFor } from '../../pages/search/search';
import { onlyKnown } from '../onlyKnown';

export const Route = createFileRoute('/o/$office/search')({
  validateSearch: onlyKnown(searchFor),
  component: SearchPage,
});
