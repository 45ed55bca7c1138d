/** The boxes of the chart: one for the people, one for each agent, with its menu. */
import { Button, Popover, Select, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Face } from '../../parts/Face';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { presenceOf } from '../../parts/presence';
import { To } from '../../parts/To';
import { useAgent } from '../../stream/hooks';
import classes from './OrgChart.module.css';
import { type Managers, PEOPLE, whyNotUnder } from './org';

export interface BoxData extends Record<string, unknown> {
  agent: string;
  managers?: Managers;
  /** Puts the agent under that box. */
  give?: (agent: string, box: string) => void;
  /** Something is dragged over it. */
  isTarget?: boolean;
}

type Props = NodeProps<Node<BoxData>>;

export function PeopleNode({ data }: Props) {
  const { t } = useTranslation();
  return (
    <div className={classes.people} data-target={data.isTarget || undefined}>
      <UserRound size={18} aria-hidden="true" />
      {t('agents.people')}
      <Handle type="source" position={Position.Bottom} className={classes.handle} />
    </div>
  );
}

export function AgentNode({ data }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const agent = useAgent(data.agent);
  const [opened, popover] = useDisclosure(false);
  if (agent === undefined) return null;
  const managers = data.managers ?? {};
  const presence = presenceOf(agent);
  const possible = Object.keys(managers).filter(
    (name) => whyNotUnder(managers, agent.name, name) !== 'circle' && name !== agent.name,
  );
  return (
    <div className={classes.box} data-target={data.isTarget || undefined}>
      <Handle type="target" position={Position.Top} className={classes.handle} />
      <Popover opened={opened} onChange={popover.set} width={250} trapFocus withArrow withinPortal>
        <Popover.Target>
          <UnstyledButton className={classes.boxButton} onClick={popover.toggle}>
            <Face name={agent.name} size={34} presence={presence} />
            <span className={classes.boxText}>
              <span className={classes.boxName}>{agent.name}</span>
              <span className={classes.boxTitle}>{agent.title}</span>
              <VisuallyHidden>{t(`parts.presence.${presence}`)}</VisuallyHidden>
            </span>
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown className="nodrag nopan">
          <Text fw={650}>{agent.name}</Text>
          <Text size="sm" c="dimmed" mb="sm">
            {agent.title}
          </Text>
          <Select
            size="xs"
            label={t('agents.field.reports_to')}
            data={[{ value: PEOPLE, label: t('agents.people') }, ...possible]}
            value={managers[agent.name] || PEOPLE}
            onChange={(box) => {
              if (box === null) return;
              popover.close();
              data.give?.(agent.name, box);
            }}
            allowDeselect={false}
            searchable
            comboboxProps={{ withinPortal: false }}
            data-autofocus
          />
          <Button
            mt="sm"
            size="xs"
            fullWidth
            variant="default"
            component={To}
            to={paths.agent(office, agent.name)}
          >
            {t('agents.open')}
          </Button>
        </Popover.Dropdown>
      </Popover>
      <Handle type="source" position={Position.Bottom} className={classes.handle} />
    </div>
  );
}
