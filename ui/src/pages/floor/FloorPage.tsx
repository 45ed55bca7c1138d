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
import { FloorTable } from './FloorTable';
import { Legend } from './Legend';
import { Picture } from './Picture';
import { Talks } from './Talks';

const route = getRouteApi('/o/$office/floor');

export function FloorPage() {
  const { t } = useTranslation();
  const { view, presence } = route.useSearch();
  const navigate = route.useNavigate();
  const all = useAgents();
  const agents = useMemo(() => Object.values(all), [all]);
  const shown = useMemo(
    () => agents.filter((agent) => presence === undefined || presenceOf(agent) === presence),
    [agents, presence],
  );
  const show = (next: { view: 'table' | undefined; presence: Presence | undefined }) =>
    void navigate({
      search: {
        ...(next.view === undefined ? {} : { view: next.view }),
        ...(next.presence === undefined ? {} : { presence: next.presence }),
      },
      replace: true,
    });
  return (
    <Page width="wide">
      <PageHeader
        title={t('floor.title')}
        text={
          <Legend
            agents={agents}
            chosen={presence}
            onChoose={(next) => show({ view, presence: next })}
          />
        }
        actions={
          <SegmentedControl
            size="xs"
            data={[
              { value: 'picture', label: t('floor.picture') },
              { value: 'table', label: t('floor.table') },
            ]}
            value={view ?? 'picture'}
            onChange={(next) => show({ view: next === 'table' ? 'table' : undefined, presence })}
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
      ) : view === 'table' && shown.length === 0 ? (
        <Empty icon={<Armchair size={24} />} title={t('floor.empty_filter')} />
      ) : view === 'table' ? (
        <FloorTable agents={shown} />
      ) : (
        <>
          <Picture agents={agents} lit={presence} />
          <Talks />
        </>
      )}
    </Page>
  );
}
