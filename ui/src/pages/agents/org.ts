/** Who reports to whom: the tree, the rule that it stays one, and where each box stands. */
import dagre from '@dagrejs/dagre';
import type { AgentView } from '../../api/types';

/** The manager of each agent; empty for those who report to a person. */
export type Managers = Readonly<Record<string, string>>;

/** Managers as they stand, with changes that are on their way. A manager who is not there counts as none. */
export function managersOf(
  agents: Readonly<Record<string, AgentView>>,
  moving: Managers = {},
): Managers {
  return Object.fromEntries(
    Object.values(agents).map(({ name, reports_to }) => {
      const manager = moving[name] ?? reports_to;
      return [name, manager in agents ? manager : ''];
    }),
  );
}

/** Why `agent` cannot report to `manager`; null when it can. */
export function whyNotUnder(
  managers: Managers,
  agent: string,
  manager: string,
): 'self' | 'circle' | 'same' | null {
  if (agent === manager) return 'self';
  if ((managers[agent] ?? '') === manager) return 'same';
  const seen = new Set<string>();
  let above = manager;
  while (above !== '' && !seen.has(above)) {
    if (above === agent) return 'circle';
    seen.add(above);
    above = managers[above] ?? '';
  }
  return null;
}

export const BOX = { width: 196, height: 64 };
/** The box of the people, above everybody who reports to none. */
export const PEOPLE = ' people';

export interface Placed {
  name: string;
  x: number;
  y: number;
}

/** Top left corners of all boxes, managers above those who report to them. */
export function layout(managers: Managers): Placed[] {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 22, ranksep: 52 });
  graph.setDefaultEdgeLabel(() => ({}));
  graph.setNode(PEOPLE, { ...BOX });
  for (const name of Object.keys(managers)) graph.setNode(name, { ...BOX });
  for (const [name, manager] of Object.entries(managers)) graph.setEdge(manager || PEOPLE, name);
  dagre.layout(graph);
  return graph.nodes().map((name) => {
    const { x, y } = graph.node(name) as { x: number; y: number };
    return { name, x: x - BOX.width / 2, y: y - BOX.height / 2 };
  });
}
