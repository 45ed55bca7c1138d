/** What can be changed about an agent; it is written to office.yaml and holds at once. */
import { useQuery } from '@tanstack/react-query';
import { asProblem } from '../../api/problem';
import { promptQuery } from '../../api/queries';
import type { AgentView } from '../../api/types';
import { usePlace } from '../../parts/place';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { AgentForm } from './AgentForm';

interface Props {
  agent: AgentView;
}

/** The block of the prompt that holds the role in the office file's words. */
const OWN = 'own';

export function SettingsTab({ agent }: Props) {
  const { office } = usePlace();
  const query = useQuery(promptQuery(office, agent.name));
  if (query.isPending) return <Loading rows={8} />;
  if (query.error) {
    return <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />;
  }
  const own = query.data.blocks.find((block) => block.name === OWN);
  return <AgentForm agent={agent} role={own?.text ?? ''} isRoleCut={own?.cut === true} />;
}
