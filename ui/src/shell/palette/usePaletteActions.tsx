/** What the palette offers for a query. */
import { useMantineColorScheme } from '@mantine/core';
import { CircleCheck, Hash, Keyboard, MessageSquareText, Moon, Plus, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Face } from '../../parts/Face';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { useGo } from '../../parts/To';
import { useSnapshot } from '../../stream/hooks';
import { openHelp } from '../help/help';
import { NAV } from '../nav';
import { openNewChannel } from '../openNewChannel';
import { matches } from './match';

export interface PaletteAction {
  id: string;
  label: string;
  note: string;
  icon: ReactNode;
  run: () => void;
}

export interface PaletteGroup {
  title: string;
  actions: PaletteAction[];
}

export function usePaletteActions(query: string): PaletteGroup[] {
  const { t } = useTranslation();
  const go = useGo();
  const { office } = usePlace();
  const agents = useSnapshot((s) => s.agents);
  const threads = useSnapshot((s) => s.threads);
  const tasks = useSnapshot((s) => s.tasks);
  const { setColorScheme } = useMantineColorScheme();

  const pages = NAV.map((entry) => ({
    id: `page:${entry.key}`,
    label: t(`shell.nav.${entry.key}`),
    note: '',
    icon: <entry.icon size={18} />,
    run: () => go(entry.path(office)),
  }));
  const people = Object.values(agents).map((agent) => ({
    id: `agent:${agent.name}`,
    label: agent.name,
    note: agent.title,
    icon: <Face name={agent.name} size={24} />,
    run: () => go(paths.dm(office, agent.name)),
  }));
  const channels = Object.values(threads)
    .filter((thread) => thread.kind === 'channel')
    .map((thread) => ({
      id: `channel:${thread.id}`,
      label: thread.name,
      note: thread.description,
      icon: <Hash size={18} />,
      run: () => go(paths.channel(office, thread.name)),
    }));
  const cards = Object.values(tasks).map((task) => ({
    id: `task:${task.id}`,
    label: task.title,
    note: `${t(`parts.task.${task.status}`)} ${task.assignee}`,
    icon: <CircleCheck size={18} />,
    run: () => go(paths.board(office, task.id)),
  }));
  const commands = [
    {
      id: 'channel',
      label: t('shell.new_channel'),
      note: '',
      icon: <Plus size={18} />,
      run: () => openNewChannel(office, Object.keys(agents)),
    },
    {
      id: 'light',
      label: t('shell.command_light'),
      note: '',
      icon: <Sun size={18} />,
      run: () => setColorScheme('light'),
    },
    {
      id: 'dark',
      label: t('shell.command_dark'),
      note: '',
      icon: <Moon size={18} />,
      run: () => setColorScheme('dark'),
    },
    {
      id: 'help',
      label: t('shell.shortcuts'),
      note: '',
      icon: <Keyboard size={18} />,
      run: openHelp,
    },
  ];
  const search: PaletteAction[] =
    query.trim().length < 2
      ? []
      : [
          {
            id: 'search',
            label: t('shell.search_messages', { text: query.trim() }),
            note: '',
            icon: <MessageSquareText size={18} />,
            run: () => go(paths.search(office, query.trim())),
          },
        ];

  const found = (actions: PaletteAction[]) =>
    actions.filter((action) => matches(query, action.label, action.note));
  return [
    { title: t('shell.pages'), actions: found(pages) },
    { title: t('shell.direct'), actions: found(people) },
    { title: t('shell.channels'), actions: found(channels) },
    { title: t('shell.tasks'), actions: query === '' ? [] : found(cards) },
    { title: t('shell.commands'), actions: found(commands) },
    { title: t('shell.messages'), actions: search },
  ].filter((group) => group.actions.length > 0);
}
