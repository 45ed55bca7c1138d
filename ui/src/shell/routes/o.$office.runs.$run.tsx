/** One run. */
import { createFileRoute } from '@tanstack/react-router';
import { RunPage } from '../../pages/runs/RunPage';
import { runSearch } from '../../pages/runs/search';
import { onlyKnown } from '../onlyKnown';

export const Route = createFileRoute('/o/$office/runs/$run')({
  validateSearch: onlyKnown(runSearch),
  component: RunPage,
});
