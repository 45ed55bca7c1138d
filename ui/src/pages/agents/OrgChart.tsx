/** Who reports to whom; an agent is dragged onto its new manager, or given one from its menu. */
import '@xyflow/react/dist/base.css';
import { Text } from '@mantine/core';
import {
  applyNodeChanges,
  Background,
  Controls,
  type Edge,
  type Node,
  type NodeChange,
  ReactFlow,
} from '@xyflow/react';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyProblem } from '../../parts/notify';
import { useAgents } from '../../stream/hooks';
import classes from './OrgChart.module.css';
import { AgentNode, type BoxData, PeopleNode } from './OrgNodes';
import { BOX, layout, managersOf, PEOPLE, whyNotUnder } from './org';
import { useManager } from './useManager';

const NODE_TYPES = { agent: AgentNode, people: PeopleNode };
const NO_CHANGE: Record<string, string> = {};

/** The box under the middle of the dragged one. */
function under(dragged: Node, nodes: readonly Node[]): string | null {
  const x = dragged.position.x + BOX.width / 2;
  const y = dragged.position.y + BOX.height / 2;
  const hit = nodes.find(
    ({ id, position }) =>
      id !== dragged.id &&
      x >= position.x &&
      x <= position.x + BOX.width &&
      y >= position.y &&
      y <= position.y + BOX.height,
  );
  return hit?.id ?? null;
}

export function OrgChart() {
  const { t } = useTranslation();
  const agents = useAgents();
  const { moving, change } = useManager();
  const [target, setTarget] = useState<string | null>(null);
  const managers = useMemo(
    () => managersOf(agents, Object.keys(moving).length === 0 ? NO_CHANGE : moving),
    [agents, moving],
  );
  // The shape of the tree decides the places; what agents do at the moment does not.
  const shape = JSON.stringify(managers);
  const home = useMemo(() => layout(JSON.parse(shape) as Record<string, string>), [shape]);
  const [nodes, setNodes] = useState<Node<BoxData>[]>([]);
  useEffect(() => {
    setNodes(
      home.map(({ name, x, y }) => ({
        id: name,
        type: name === PEOPLE ? 'people' : 'agent',
        position: { x, y },
        data: { agent: name },
        draggable: name !== PEOPLE,
        focusable: false,
        width: BOX.width,
        height: BOX.height,
      })),
    );
  }, [home]);
  const edges = useMemo<Edge[]>(
    () =>
      Object.entries(managers).map(([name, manager]) => ({
        id: `${manager}>${name}`,
        source: manager || PEOPLE,
        target: name,
        type: 'smoothstep',
        focusable: false,
      })),
    [managers],
  );
  const putBack = () =>
    setNodes((all) =>
      all.map((node) => {
        const place = home.find((one) => one.name === node.id);
        return place ? { ...node, position: { x: place.x, y: place.y } } : node;
      }),
    );
  const give = (agent: string, box: string) => {
    const manager = box === PEOPLE ? '' : box;
    const why = whyNotUnder(managers, agent, manager);
    if (why === null) change(agent, manager);
    else if (why !== 'same') {
      notifyProblem({ message: t(`agents.chart.not_${why}`, { agent, manager }), hint: '' });
    }
  };
  const shownNodes = nodes.map((node) => ({
    ...node,
    data: { ...node.data, managers, give, isTarget: node.id === target },
  }));
  return (
    <div className={classes.chart}>
      <Text size="sm" c="dimmed" className={classes.how}>
        {t('agents.chart.how')}
      </Text>
      <ReactFlow
        nodes={shownNodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        onNodesChange={(changes: NodeChange<Node<BoxData>>[]) =>
          setNodes((all) => applyNodeChanges(changes, all))
        }
        onNodeDrag={(_event, node) => setTarget(under(node, nodes))}
        onNodeDragStop={(_event, node) => {
          const box = under(node, nodes);
          setTarget(null);
          putBack();
          if (box !== null) give(node.id, box);
        }}
        nodesConnectable={false}
        edgesFocusable={false}
        onlyRenderVisibleElements={home.length > 150}
        fitView
        fitViewOptions={{ padding: 0.15, minZoom: 0.55, maxZoom: 1.1 }}
        minZoom={0.1}
        aria-label={t('agents.view.chart')}
      >
        <Background gap={22} size={1.2} color="var(--line)" />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}
