/** What agents say to each other; people read along. */
import './styles';
import { Group, Text, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Eye, MessagesSquare } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ThreadView } from '../../api/types';
import { Page } from '../../parts/Page';
import { Failure } from '../../parts/states/Failure';
import { useSnapshot } from '../../stream/hooks';
import classes from './Conversation.module.css';
import { ThreadBody } from './ThreadBody';
import { useOutbox } from './useOutbox';

const route = getRouteApi('/o/$office/talk/$thread');

export function TalkPage() {
  const { t } = useTranslation();
  const { thread: id } = route.useParams();
  const { n } = route.useSearch();
  const thread = useSnapshot((s) => s.threads[id]);
  if (thread === undefined || thread.kind !== 'internal') {
    const message = t('conversation.no_talk');
    return <Failure isPage problem={{ status: 404, code: 'not_found', message, hint: '' }} />;
  }
  return <Talk key={id} thread={thread} target={n} />;
}

interface Props {
  thread: ThreadView;
  target: number | undefined;
}

function Talk({ thread, target }: Props) {
  const { t } = useTranslation();
  const outbox = useOutbox({ thread: thread.id });
  return (
    <Page width="full">
      <div className={classes.frame}>
        <header className={classes.head}>
          <MessagesSquare size={20} aria-hidden="true" />
          <div className={classes.headText}>
            <Title order={1} size="h3" lh={1.25}>
              {thread.name}
            </Title>
            <Text size="xs" c="dimmed">
              {t('conversation.talk')}
            </Text>
          </div>
        </header>
        <ThreadBody
          thread={thread}
          outbox={outbox}
          target={target}
          empty={{ title: t('conversation.talk_empty'), text: '' }}
        />
        <Group className={classes.note} gap={8} justify="center">
          <Eye size={15} aria-hidden="true" />
          {t('conversation.read_only')}
        </Group>
      </div>
    </Page>
  );
}
