/** One agent. */
import { createFileRoute } from '@tanstack/react-router';
import { AgentPage } from '../../pages/agents/AgentPage';
import { agentSearch } from '../../pages/agents/search';
import { onlyKnown } from '../onlyKnown';

export const Route = createFileRoute('/o/$office/agents/$agent')({
  validateSearch: onlyKnown(agentSearch),
  component: AgentPage,
});
