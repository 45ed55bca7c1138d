/**
 * The pages of an office, in the order of the sidebar. A page registers here by one line, and by a route file in
 * `shell/routes`. `keys` is the shortcut: g, then the letter.
 */
import {
  Armchair,
  ChartColumn,
  FolderOpen,
  Footprints,
  House,
  Activity as Pulse,
  Radio,
  Settings,
  SquareKanban,
  Users,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { paths } from '../parts/paths';

export interface NavEntry {
  /** Words: `shell.nav.<key>`. */
  key: string;
  icon: ComponentType<{ size?: number }>;
  path: (office: string) => string;
  letter: string;
}

export const NAV: readonly NavEntry[] = [
  { key: 'home', icon: House, path: paths.home, letter: 'h' },
  { key: 'floor', icon: Armchair, path: paths.floor, letter: 'o' },
  { key: 'feed', icon: Pulse, path: paths.feed, letter: 'e' },
  { key: 'board', icon: SquareKanban, path: paths.board, letter: 'b' },
  { key: 'agents', icon: Users, path: paths.agents, letter: 'a' },
  { key: 'runs', icon: Footprints, path: paths.runs, letter: 'r' },
  { key: 'events', icon: Radio, path: paths.events, letter: 'v' },
  { key: 'files', icon: FolderOpen, path: paths.files, letter: 'f' },
  { key: 'usage', icon: ChartColumn, path: paths.usage, letter: 'u' },
  { key: 'settings', icon: Settings, path: paths.settings, letter: 's' },
];
