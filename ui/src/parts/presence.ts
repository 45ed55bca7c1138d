/** What an agent is up to, in one word that a person can see from afar. */
import type { AgentView } from '../api/types';

export type Presence = 'busy' | 'idle' | 'wait' | 'stuck' | 'dead' | 'off';

/** In the order in which people look for them. */
export const PRESENCES: readonly Presence[] = ['busy', 'idle', 'wait', 'stuck', 'dead', 'off'];

export function presenceOf(agent: Pick<AgentView, 'duty' | 'activity'>): Presence {
  if (agent.activity === 'dead' || agent.activity === 'stuck') return agent.activity;
  if (agent.activity === 'busy') return 'busy';
  if (agent.duty === 'wait') return 'wait';
  return agent.duty === 'off_duty' ? 'off' : 'idle';
}
