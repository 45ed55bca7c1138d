/** Browsers that are signed in; each but this one can be signed out from here. */
import { Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { endSession } from '../../api/actions';
import { asProblem } from '../../api/problem';
import { sessionsQuery } from '../../api/queries';
import { ConfirmButton } from '../../parts/ConfirmButton';
import { notifyDone, notifyProblem } from '../../parts/notify';
import { Panel } from '../../parts/Panel';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { browserOf } from './browser';
import { RealTime } from './RealTime';
import classes from './Settings.module.css';

export function Sessions() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const query = useQuery(sessionsQuery);
  const end = useMutation({
    mutationFn: endSession,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      notifyDone(t('settings.sessions.ended'));
    },
    onError: notifyProblem,
  });
  if (query.isPending) return <Loading rows={5} />;
  if (query.error) {
    return <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />;
  }
  return (
    <Panel title={t('settings.section.sessions')}>
      <ul className={classes.list}>
        {query.data.items.map((session) => (
          <li key={session.id} className={classes.line}>
            <MonitorSmartphone size={18} aria-hidden="true" />
            <div className={classes.grow}>
              <Text size="sm" fw={600} title={session.user_agent}>
                {browserOf(session.user_agent) || t('settings.sessions.unknown')}
                {session.current && (
                  <span className={classes.mark} data-good>
                    {t('settings.sessions.this')}
                  </span>
                )}
              </Text>
              <Text size="xs" c="dimmed">
                {session.address} · {t('settings.sessions.seen')}{' '}
                <RealTime at={session.last_seen_at} /> · {t('settings.sessions.since')}{' '}
                <RealTime at={session.created_at} />
              </Text>
            </div>
            {!session.current && (
              <ConfirmButton
                size="xs"
                question={t('settings.sessions.end_text')}
                onConfirm={() => end.mutate(session.id)}
              >
                {t('settings.sessions.end')}
              </ConfirmButton>
            )}
          </li>
        ))}
      </ul>
      <Text size="sm" c="dimmed" mt="sm">
        {t('settings.sessions.this_text')}
      </Text>
    </Panel>
  );
}
