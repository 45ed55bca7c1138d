/** Who this is, what it does right now, and what can be done about it. */
import { ActionIcon, Badge, Menu, Text, Title, Tooltip } from '@mantine/core';
import { Ellipsis, Eraser, FolderOpen, Search, UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { AgentView, RunView, ThreadView } from '../../api/types';
import { Face } from '../../parts/Face';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { presenceOf } from '../../parts/presence';
import { useGo } from '../../parts/To';
import classes from './Conversation.module.css';
import { useClear } from './useClear';

interface Props {
  name: string;
  agent: AgentView | undefined;
  thread: ThreadView | undefined;
  run: RunView | undefined;
}

export function DmHeader({ name, agent, thread, run }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const go = useGo();
  const presence = agent && presenceOf(agent);
  const clear = useClear(thread);
  return (
    <header className={classes.head}>
      <Face name={name} size={36} presence={presence} />
      <div className={classes.headText}>
        <Title order={1} size="h3" lh={1.25}>
          {name}{' '}
          {agent?.title && (
            <Text span size="sm" c="dimmed" fw={400} visibleFrom="xs">
              {agent.title}
            </Text>
          )}
        </Title>
        <Text size="xs" c="dimmed" truncate>
          {presence && t(`parts.presence.${presence}`)}
          {run && ` · ${run.title}`}
        </Text>
      </div>
      {agent && (
        <Tooltip label={t('conversation.model')}>
          <Badge variant="default" tt="none" fw={500} visibleFrom="md" tabIndex={0}>
            {agent.model}
          </Badge>
        </Tooltip>
      )}
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('conversation.more')}>
            <Ellipsis size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<UserRound size={15} />}
            onClick={() => go(paths.agent(office, name))}
          >
            {t('conversation.agent_page')}
          </Menu.Item>
          <Menu.Item
            leftSection={<FolderOpen size={15} />}
            onClick={() => go(paths.files(office, name))}
          >
            {t('conversation.agent_files')}
          </Menu.Item>
          <Menu.Item
            leftSection={<Search size={15} />}
            onClick={() => go(paths.search(office, '', thread?.id))}
          >
            {t('conversation.search')}
          </Menu.Item>
          {thread && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<Eraser size={15} />} onClick={clear}>
                {t('conversation.clear')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    </header>
  );
}
