/** The floor: the office as a living picture, or as a table. */
import '@mantine/core/styles.layer.css';
import { SegmentedControl } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Armchair } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/Page';
import { PageHeader } from '../../parts/PageHeader';
import { type Presence, presenceOf } from '../../parts/presence';
import { Empty } from '../../parts/states/Empty';
import { useAgents } from '../../stream/hooks';
import classes from './Floor.module.css';
import { FloorTable } from './FloorTable';
import { Picture } from './Picture';
import { Talks } from './Talks';

const route = getRouteApi('/o/$office/floor');
const PRESENCES: readonly Presence[] = ['busy', 'idle', 'wait', 'stuck', 'dead', 'off'];

export function FloorPage() {
  const { t } = useTranslation();
  const { view } = route.useSearch();
  const navigate = route.useNavigate();
  const all = useAgents();
  const agents = useMemo(() => Object.values(all), [all]);
  const counts = new Map<Presence, number>();
  for (const agent of agents) {
    const presence = presenceOf(agent);
    counts.set(presence, (counts.get(presence) ?? 0) + 1);
  }
  return (
    <Page width="wide">
      <PageHeader
        title={t('floor.title')}
        text={
          <span className={classes.legend}>
            {PRESENCES.filter((one) => counts.has(one)).map((one) => (
              <span key={one}>
                <span className={classes.dot} data-presence={one} aria-hidden="true" />
                {counts.get(one)} {t(`parts.presence.${one}`)}
              </span>
            ))}
          </span>
        }
        actions={
          <SegmentedControl
            size="xs"
            data={[
              { value: 'picture', label: t('floor.picture') },
              { value: 'table', label: t('floor.table') },
            ]}
            value={view ?? 'picture'}
            onChange={(next) =>
              void navigate({ search: next === 'table' ? { view: 'table' } : {}, replace: true })
            }
            aria-label={t('floor.view')}
          />
        }
      />
      {agents.length === 0 ? (
        <Empty
          icon={<Armchair size={24} />}
          title={t('floor.empty')}
          text={t('floor.empty_text')}
        />
      ) : view === 'table' ? (
        <FloorTable agents={agents} />
      ) : (
        <>
          <Picture agents={agents} />
          <Talks />
        </>
      )}
    </Page>
  );
}
