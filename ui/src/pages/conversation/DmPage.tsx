/** Talking with one agent: its words as they come, its thoughts, its tools. */
import './styles';
import { getRouteApi } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { AgentView, ThreadView } from '../../api/types';
import { Page } from '../../parts/Page';
import { usePlace } from '../../parts/place';
import { Empty } from '../../parts/states/Empty';
import { Failure } from '../../parts/states/Failure';
import { useAgent, useOffice, useOpenRun, useSnapshot } from '../../stream/hooks';
import { Composer } from './Composer';
import classes from './Conversation.module.css';
import { DmHeader } from './DmHeader';
import { ModeSwitch, useSendMode } from './ModeSwitch';
import { ThreadBody } from './ThreadBody';
import { useOutbox } from './useOutbox';
import { WaitingRow } from './WaitingRow';

const route = getRouteApi('/o/$office/dm/$agent');

export function DmPage() {
  const { t } = useTranslation();
  const { agent: name } = route.useParams();
  const { n } = route.useSearch();
  const { person } = usePlace();
  const agent = useAgent(name);
  const thread = useSnapshot((s) =>
    Object.values(s.threads).find(
      (one) => one.kind === 'dm' && one.name === name && one.person === person,
    ),
  );
  if (agent === undefined && thread === undefined) {
    const message = t('conversation.no_agent', { agent: name });
    return <Failure isPage problem={{ status: 404, code: 'not_found', message, hint: '' }} />;
  }
  return (
    <Dm key={`${name}:${thread?.id ?? ''}`} name={name} agent={agent} thread={thread} target={n} />
  );
}

interface Props {
  name: string;
  /** Undefined when it has left; its conversation stays readable. */
  agent: AgentView | undefined;
  /** Undefined until the first message. */
  thread: ThreadView | undefined;
  target: number | undefined;
}

function Dm({ name, agent, thread, target }: Props) {
  const { t } = useTranslation();
  const paused = useOffice().state === 'paused';
  const outbox = useOutbox(thread ? { thread: thread.id } : { agent: name });
  const run = useOpenRun(agent?.run ?? '');
  const { mode, setMode, canSteer } = useSendMode(run, thread?.id);
  const empty = {
    title: t('conversation.dm_empty', { agent: name }),
    text: agent?.description ?? '',
  };
  return (
    <Page width="full">
      <div className={classes.frame}>
        <DmHeader name={name} agent={agent} thread={thread} run={run} />
        {thread ? (
          <ThreadBody thread={thread} outbox={outbox} target={target} empty={empty} />
        ) : (
          <div style={{ flex: 1, overflow: 'auto' }}>
            {outbox.waiting.length === 0 && (
              <Empty icon={<MessagesSquare size={24} />} title={empty.title} text={empty.text} />
            )}
            {outbox.waiting.map((waiting) => (
              <div key={waiting.key} className={classes.row}>
                <WaitingRow waiting={waiting} outbox={outbox} />
              </div>
            ))}
          </div>
        )}
        <div className={classes.bottom}>
          {agent === undefined ? (
            <p className={classes.note}>{t('conversation.agent_left', { agent: name })}</p>
          ) : (
            <Composer
              box={`dm:${name}`}
              placeholder={t(paused ? 'conversation.write_paused' : 'conversation.write_to', {
                name,
              })}
              names={[]}
              options={canSteer && <ModeSwitch mode={mode} onChange={setMode} agent={name} />}
              onSend={(text) => outbox.send(text, mode)}
            />
          )}
        </div>
      </div>
    </Page>
  );
}
