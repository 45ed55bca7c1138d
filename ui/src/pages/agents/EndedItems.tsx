/** The last items an agent has worked off, or that were taken out. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { inboxQuery } from '../../api/queries';
import type { ItemState } from '../../api/types';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { TimeText } from '../../parts/TimeText';
import { To } from '../../parts/To';
import classes from './Agent.module.css';

interface Props {
  agent: string;
}

const ENDS: ReadonlySet<ItemState> = new Set(['done', 'cancelled', 'expired']);

export function EndedItems({ agent }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const query = useQuery(inboxQuery(office, agent));
  if (query.isPending) return <Loading rows={4} />;
  if (query.error) {
    return <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} compact />;
  }
  const ended = query.data.items.filter((item) => ENDS.has(item.state));
  if (ended.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('agents.inbox.none_ended')}
      </Text>
    );
  }
  return (
    <ul className={classes.list}>
      {ended.map((item) => (
        <li key={item.id} className={classes.line}>
          <Text size="sm" truncate className={classes.grow}>
            {item.run ? <To to={paths.run(office, item.run)}>{item.text}</To> : item.text}
          </Text>
          <Text size="xs" c="dimmed">
            {t(`agents.item_state.${item.state}`)}
          </Text>
          <Text size="xs" c="dimmed">
            <TimeText at={item.queued_at} />
          </Text>
        </li>
      ))}
    </ul>
  );
}
