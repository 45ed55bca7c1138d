/** One event: what it said, and what the attention filter decided for every agent, with the reason. */
import '@mantine/core/styles.layer.css';
import { Button, Group, Text, Title, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { eventQuery } from '../../api/queries';
import type { EventView } from '../../api/types';
import { AgentChip } from '../../parts/AgentChip';
import { CodeBlock } from '../../parts/markdown/CodeBlock';
import { Page } from '../../parts/Page';
import { Panel } from '../../parts/Panel';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { TimeText } from '../../parts/TimeText';
import { To } from '../../parts/To';
import { useAgents } from '../../stream/hooks';
import { DecisionRow } from './DecisionRow';
import { inOrder } from './decisions';
import classes from './Events.module.css';

const route = getRouteApi('/o/$office/events/$event');

export function EventPage() {
  const { t } = useTranslation();
  const { office } = usePlace();
  const { event: id } = route.useParams();
  const query = useInfiniteQuery(eventQuery(office, id));
  const pages = query.data?.pages;
  const decisions = useMemo(
    () => inOrder((pages ?? []).flatMap((page) => page.decisions)),
    [pages],
  );
  const event = pages?.[0]?.event;
  return (
    <Page>
      {!event && <VisuallyHidden component="h1">{id}</VisuallyHidden>}
      {query.isPending && <Loading rows={10} />}
      {query.error && (
        <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />
      )}
      {event && (
        <>
          <Head event={event} />
          <Panel
            title={
              event.target
                ? t('events.decisions_target', { agent: event.target })
                : t('events.decisions', { woke: event.accepted, count: event.considered })
            }
          >
            {decisions.length === 0 && (
              <Text size="sm" c="dimmed">
                {t('events.no_decisions')}
              </Text>
            )}
            <ul className={classes.list}>
              {decisions.map((decision) => (
                <DecisionRow key={decision.agent} decision={decision} />
              ))}
            </ul>
            {query.hasNextPage && (
              <Button
                mt="sm"
                size="xs"
                variant="default"
                loading={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                {t('events.more_decisions')}
              </Button>
            )}
          </Panel>
        </>
      )}
    </Page>
  );
}

function Head({ event }: { event: EventView }) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const agents = useAgents();
  const by = event.by.replace(/^\w+:/, '');
  const hasPayload = Object.keys(event.payload).length > 0;
  return (
    <header className={classes.head}>
      <Group gap="xs" mb={6}>
        <To to={paths.events(office)} className={classes.back}>
          {t('events.title')}
        </To>
        <Text span size="sm" c="dimmed">
          / {event.id}
        </Text>
      </Group>
      <Title order={1} className={classes.title}>
        {t(`events.sources.${event.source}`, { defaultValue: event.source })}
        <Text span inherit c="dimmed">
          {' '}
          {event.type}
        </Text>
      </Title>
      <dl className={classes.facts}>
        <div>
          <dt>{t('events.when')}</dt>
          <dd>
            <TimeText at={event.at} />
          </dd>
        </div>
        <div>
          <dt>{t('events.priority')}</dt>
          <dd>{t(`events.priorities.${event.priority}`)}</dd>
        </div>
        <div>
          <dt>{t('events.target')}</dt>
          <dd>
            {event.target ? (
              <AgentChip
                name={event.target}
                agent={agents[event.target]}
                to={paths.agent(office, event.target)}
              />
            ) : (
              t('events.everybody')
            )}
          </dd>
        </div>
        {by && (
          <div>
            <dt>{t('events.from')}</dt>
            <dd>{by}</dd>
          </div>
        )}
      </dl>
      {event.text && <div className={classes.text}>{event.text}</div>}
      {hasPayload && <CodeBlock text={JSON.stringify(event.payload, null, 2)} language="json" />}
    </header>
  );
}
