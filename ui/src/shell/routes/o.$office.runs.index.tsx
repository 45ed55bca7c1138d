/** All runs. */
import { createFileRoute } from '@tanstack/react-router';
import { RunsPage } from '../../pages/runs/RunsPage';
import { runsSearch } from '../../pages/runs/search';
import { onlyKnown } from '../onlyKnown';

export const Route = createFileRoute('/o/$office/runs/')({
  validateSearch: onlyKnown(runsSearch),
  component: RunsPage,
});
