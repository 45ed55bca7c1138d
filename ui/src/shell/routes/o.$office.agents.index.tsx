/** Everybody who works here. */
import { createFileRoute } from '@tanstack/react-router';
import { AgentsPage } from '../../pages/agents/AgentsPage';
import { agentsSearch } from '../../pages/agents/search';

export const Route = createFileRoute('/o/$office/agents/')({
  validateSearch: agentsSearch,
  component: AgentsPage,
});
