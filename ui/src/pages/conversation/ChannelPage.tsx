/** A channel: people and agents in one room. An agent hears what mentions it or concerns it. */
import './styles';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ThreadView } from '../../api/types';
import { Page } from '../../parts/Page';
import { Failure } from '../../parts/states/Failure';
import { useSnapshot } from '../../stream/hooks';
import { ChannelHeader } from './ChannelHeader';
import { Composer } from './Composer';
import classes from './Conversation.module.css';
import { ThreadBody } from './ThreadBody';
import { useOutbox } from './useOutbox';

const route = getRouteApi('/o/$office/channels/$name');

export function ChannelPage() {
  const { t } = useTranslation();
  const { name } = route.useParams();
  const { n } = route.useSearch();
  const thread = useSnapshot((s) =>
    Object.values(s.threads).find((one) => one.kind === 'channel' && one.name === name),
  );
  if (thread === undefined) {
    const message = t('conversation.no_channel', { name });
    return <Failure isPage problem={{ status: 404, code: 'not_found', message, hint: '' }} />;
  }
  return <Channel key={thread.id} thread={thread} target={n} />;
}

interface Props {
  thread: ThreadView;
  target: number | undefined;
}

function Channel({ thread, target }: Props) {
  const { t } = useTranslation();
  const outbox = useOutbox({ thread: thread.id });
  return (
    <Page width="full">
      <div className={classes.frame}>
        <ChannelHeader thread={thread} />
        <ThreadBody
          thread={thread}
          outbox={outbox}
          target={target}
          empty={{
            title: t('conversation.channel_empty', { name: thread.name }),
            text: t('conversation.channel_empty_text'),
          }}
        />
        <div className={classes.bottom}>
          <Composer
            box={`channel:${thread.name}`}
            placeholder={t('conversation.write_in', { name: thread.name })}
            names={thread.members}
            onSend={(text) => outbox.send(text, 'queue')}
          />
        </div>
      </div>
    </Page>
  );
}
