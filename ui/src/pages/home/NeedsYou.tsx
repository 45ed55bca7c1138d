/** One place for everything that waits for a person. */
import { Badge, Text } from '@mantine/core';
import { CircleCheckBig } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../parts/Panel';
import { useSnapshot } from '../../stream/hooks';
import classes from './Home.module.css';
import { NeedRow } from './NeedRow';
import { needsOf } from './needs';

const SHOWN = 6;

export function NeedsYou() {
  const { t } = useTranslation();
  const office = useSnapshot((s) => s.office);
  const alerts = useSnapshot((s) => s.alerts);
  const runs = useSnapshot((s) => s.runs);
  const tasks = useSnapshot((s) => s.tasks);
  const needs = useMemo(
    () => needsOf({ office, alerts, runs, tasks }),
    [office, alerts, runs, tasks],
  );
  return (
    <Panel
      title={t('home.needs')}
      action={
        needs.length > 0 && (
          <Badge color="dawn.7" variant="filled" circle={needs.length < 10}>
            {needs.length}
          </Badge>
        )
      }
    >
      {needs.length === 0 ? (
        <Text size="sm" c="dimmed" className={classes.calm}>
          <CircleCheckBig size={17} aria-hidden="true" />
          {t('home.needs_none')}
        </Text>
      ) : (
        <ul className={classes.list}>
          {needs.slice(0, SHOWN).map((need) => (
            <NeedRow key={need.key} need={need} />
          ))}
        </ul>
      )}
      {needs.length > SHOWN && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('home.needs_more', { count: needs.length - SHOWN })}
        </Text>
      )}
    </Panel>
  );
}
