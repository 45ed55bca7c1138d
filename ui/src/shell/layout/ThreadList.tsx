/** Channels, conversations with agents, and talk between agents. */
import { ActionIcon, Collapse, Tooltip, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ChevronRight, Hash, MessagesSquare, Plus } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Face } from '../../parts/Face';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { presenceOf } from '../../parts/presence';
import { useAgents, useSnapshot } from '../../stream/hooks';
import { unreadOf } from '../../stream/unread';
import { openNewChannel } from '../openNewChannel';
import { openPalette } from '../palette/palette';
import { SideItem } from './SideItem';
import classes from './SideItem.module.css';
import { SideSection } from './SideSection';
import { sidebarThreads } from './sidebarThreads';

export function ThreadList() {
  const { t } = useTranslation();
  const { office, person } = usePlace();
  const threads = useSnapshot((s) => s.threads);
  const reads = useSnapshot((s) => s.reads);
  const agents = useAgents();
  const [talkOpen, talk] = useDisclosure(false);
  const lists = useMemo(() => sidebarThreads(threads, agents, person), [threads, agents, person]);
  return (
    <>
      <SideSection
        title={t('shell.channels')}
        action={
          <Tooltip label={t('shell.new_channel')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={t('shell.new_channel')}
              onClick={() => openNewChannel(office, Object.keys(agents))}
            >
              <Plus size={15} />
            </ActionIcon>
          </Tooltip>
        }
      >
        {lists.channels.map((thread) => (
          <SideItem
            key={thread.id}
            to={paths.channel(office, thread.name)}
            icon={<Hash size={16} />}
            label={thread.name}
            unread={unreadOf(reads, thread, person)}
          />
        ))}
      </SideSection>
      <SideSection title={t('shell.direct')} tour="agents">
        {lists.agents.map(({ agent, dm }) => {
          const presence = presenceOf(agent);
          return (
            <SideItem
              key={agent.name}
              to={paths.dm(office, agent.name)}
              icon={<Face name={agent.name} size={22} presence={presence} />}
              label={agent.name}
              note={presence === 'idle' ? undefined : t(`parts.presence.${presence}`)}
              unread={dm ? unreadOf(reads, dm, person) : 0}
            />
          );
        })}
        {lists.more > 0 && (
          <UnstyledButton className={classes.item} onClick={openPalette}>
            {t('shell.more_agents', { count: lists.more })}
          </UnstyledButton>
        )}
      </SideSection>
      {lists.talks.length > 0 && (
        <SideSection
          title={t('shell.talks')}
          action={
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              onClick={talk.toggle}
              aria-expanded={talkOpen}
              aria-label={t(talkOpen ? 'shell.fold' : 'shell.unfold')}
            >
              <ChevronRight size={15} style={{ rotate: talkOpen ? '90deg' : '0deg' }} />
            </ActionIcon>
          }
        >
          <Collapse expanded={talkOpen}>
            {lists.talks.map((thread) => (
              <SideItem
                key={thread.id}
                to={paths.talk(office, thread.id)}
                icon={<MessagesSquare size={16} />}
                label={thread.name}
              />
            ))}
          </Collapse>
        </SideSection>
      )}
    </>
  );
}
