/** An agent's runs, newest first. */
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Footprints } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { runsQuery } from '../../api/queries';
import type { AgentView } from '../../api/types';
import { usePlace } from '../../parts/place';
import { RunRows } from '../../parts/RunRows';
import { Empty } from '../../parts/states/Empty';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';

interface Props {
  agent: AgentView;
}

export function RunsTab({ agent }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const query = useInfiniteQuery(runsQuery(office, { agent: agent.name }));
  if (query.isPending) return <Loading rows={8} />;
  if (query.error) {
    return <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />;
  }
  const runs = query.data.pages.flatMap((page) => page.items);
  if (runs.length === 0) {
    return (
      <Empty
        icon={<Footprints size={24} />}
        title={t('agents.no_runs')}
        text={t('agents.no_runs_text')}
      />
    );
  }
  return (
    <>
      <RunRows runs={runs} ofOneAgent />
      {query.hasNextPage && (
        <Button
          mt="sm"
          size="xs"
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('agents.older')}
        </Button>
      )}
    </>
  );
}
