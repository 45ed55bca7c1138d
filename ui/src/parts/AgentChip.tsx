/** An agent's name with its face; leads to the conversation with it. */
import { Group, Text, Tooltip } from '@mantine/core';
import type { AgentView } from '../api/types';
import { Face } from './Face';
import { paths } from './paths';
import { usePlace } from './place';
import { type Presence, presenceOf } from './presence';
import { To } from './To';

interface Props {
  /** The agent's name; it may have left since. */
  name: string;
  agent?: AgentView | undefined;
  size?: number;
  /** Where a click leads; to the DM when not given. */
  to?: string;
}

export function AgentChip({ name, agent, size = 22, to }: Props) {
  const { office } = usePlace();
  const presence: Presence | undefined = agent ? presenceOf(agent) : undefined;
  return (
    <Tooltip label={agent?.title ?? name} disabled={!agent?.title} openDelay={400}>
      <To
        to={to ?? paths.dm(office, name)}
        style={{ color: 'inherit', textDecoration: 'none', minWidth: 0 }}
      >
        <Group gap={7} wrap="nowrap" component="span" display="inline-flex" maw="100%">
          <Face name={name} size={size} presence={presence} />
          <Text component="span" size="sm" fw={600} truncate>
            {name}
          </Text>
        </Group>
      </To>
    </Tooltip>
  );
}
