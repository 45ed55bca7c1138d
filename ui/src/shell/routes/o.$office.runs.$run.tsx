/** One run. */
import { createFileRoute } from '@tanstack/react-router';
import { RunPage } from '../../pages/runs/RunPage';
import { runSearch } from '../../pages/runs/search';

export const Route = createFileRoute('/o/$office/runs/$run')({
  validateSearch: runSearch,
  component: RunPage,
});
