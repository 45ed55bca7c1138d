/** Message search. */
import { createFileRoute } from '@tanstack/react-router';
import { SearchPage } from '../../pages/search/SearchPage';
import { searchFor } from '../../pages/search/search';

export const Route = createFileRoute('/o/$office/search')({
  validateSearch: searchFor,
  component: SearchPage,
});
