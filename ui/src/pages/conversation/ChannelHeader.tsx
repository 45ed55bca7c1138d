/** A channel's name, purpose and members, and what can be done with it. */
import { ActionIcon, Menu, Popover, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { Ellipsis, Eraser, Hash, Pencil, Search, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ThreadView } from '../../api/types';
import { AgentChip } from '../../parts/AgentChip';
import { openDialog } from '../../parts/dialogs';
import { Face } from '../../parts/Face';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { useGo } from '../../parts/To';
import { useAgents } from '../../stream/hooks';
import { ChannelForm } from './ChannelForm';
import classes from './Conversation.module.css';
import { useClear } from './useClear';
import { useDeleteChannel } from './useDeleteChannel';

interface Props {
  thread: ThreadView;
}

const FACES = 4;

function Members({ thread }: Props) {
  const { t } = useTranslation();
  const agents = useAgents();
  return (
    <Popover width={230} position="bottom-end">
      <Popover.Target>
        <UnstyledButton className={classes.members} title={t('conversation.members')}>
          {thread.members.slice(0, FACES).map((name) => (
            <Face key={name} name={name} size={24} />
          ))}
          <Text span size="sm" fw={600}>
            {thread.members.length}
          </Text>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="xs" c="dimmed" mb="xs">
          {t('conversation.members_text')}
        </Text>
        <Stack gap={8} mah={320} style={{ overflowY: 'auto' }}>
          {thread.members.map((name) => (
            <AgentChip key={name} name={name} agent={agents[name]} />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

export function ChannelHeader({ thread }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const go = useGo();
  const agents = useAgents();
  const clear = useClear(thread);
  const remove = useDeleteChannel(thread);
  const edit = () =>
    openDialog({
      modalId: 'channel',
      title: t('conversation.edit_channel'),
      children: <ChannelForm office={office} thread={thread} agents={Object.keys(agents)} />,
    });
  return (
    <header className={classes.head}>
      <Hash size={20} aria-hidden="true" />
      <div className={classes.headText}>
        <Title order={1} size="h3" lh={1.25}>
          {thread.name}
        </Title>
        <Text size="xs" c="dimmed" truncate>
          {thread.description}
        </Text>
      </div>
      <Members thread={thread} />
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('conversation.more')}>
            <Ellipsis size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Pencil size={15} />} onClick={edit}>
            {t('conversation.edit_channel')}
          </Menu.Item>
          <Menu.Item
            leftSection={<Search size={15} />}
            onClick={() => go(paths.search(office, '', thread.id))}
          >
            {t('conversation.search')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<Eraser size={15} />} onClick={clear}>
            {t('conversation.clear')}
          </Menu.Item>
          <Menu.Item leftSection={<Trash2 size={15} />} color="red" onClick={remove}>
            {t('conversation.delete_channel')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </header>
  );
}
