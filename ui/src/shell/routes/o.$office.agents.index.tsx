/** Everybody who works here. */
import { createFileRoute } from '@tanstack/react-router';
import { AgentsPage } from '../../pages/agents/AgentsPage';
import { agentsSearch } from '../../pages/agents/search';
import { onlyKnown } from '../onlyKnown';

export const Route = createFileRoute('/o/$office/agents/')({
  validateSearch: onlyKnown(agentsSearch),
  component: AgentsPage,
});
