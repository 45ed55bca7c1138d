/** One run: what it was about, its time as a picture, and every turn with its calls. */
import '@mantine/core/styles.layer.css';
import { Stack, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { runQuery } from '../../api/queries';
import type { CallView, RunDetail } from '../../api/types';
import { Page } from '../../parts/Page';
import { Panel } from '../../parts/Panel';
import { usePlace } from '../../parts/place';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { LiveTurn } from './LiveTurn';
import { RawViewer } from './RawViewer';
import { RunControls } from './RunControls';
import { RunHead } from './RunHead';
import { TimelinePicture } from './TimelinePicture';
import { TurnCard } from './TurnCard';

const route = getRouteApi('/o/$office/runs/$run');

export function RunPage() {
  const { office } = usePlace();
  const { run } = route.useParams();
  const query = useQuery(runQuery(office, run));
  if (query.isPending) {
    return (
      <Page>
        <VisuallyHidden component="h1">{run}</VisuallyHidden>
        <Loading rows={10} />
      </Page>
    );
  }
  if (query.error) {
    return (
      <Page>
        <VisuallyHidden component="h1">{run}</VisuallyHidden>
        <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />
      </Page>
    );
  }
  return <Shown detail={query.data} />;
}

function Shown({ detail }: { detail: RunDetail }) {
  const { t } = useTranslation();
  const { turn, raw } = route.useSearch();
  const navigate = route.useNavigate();
  const { run, turns, calls } = detail;
  const byTurn = useMemo(() => {
    const map = new Map<number, CallView[]>();
    for (const call of calls) map.set(call.turn, [...(map.get(call.turn) ?? []), call]);
    return map;
  }, [calls]);
  return (
    <Page>
      <RunHead run={run} />
      <Stack gap="lg">
        {run.ended_at === null && <RunControls run={run} />}
        <Panel title={t('runs.time')}>
          <TimelinePicture detail={detail} />
        </Panel>
        {turns.map((one) => (
          <TurnCard
            key={one.n}
            turn={one}
            calls={byTurn.get(one.n) ?? []}
            onRaw={(what) => void navigate({ search: { turn: one.n, raw: what } })}
          />
        ))}
        {run.state === 'running' && <LiveTurn run={run} calls={calls} />}
      </Stack>
      <RawViewer
        run={run.id}
        turn={turn}
        what={raw}
        onWhat={(what) => turn && void navigate({ search: { turn, raw: what }, replace: true })}
        onClose={() => void navigate({ search: {} })}
      />
    </Page>
  );
}
