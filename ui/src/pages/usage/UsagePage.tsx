/** What the models cost: money and tokens by day, agent, model, task and run, against the budget. */
import '@mantine/core/styles.layer.css';
import { Group, SegmentedControl, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { usageQuery } from '../../api/queries';
import { Page } from '../../parts/Page';
import { PageHeader } from '../../parts/PageHeader';
import { Panel } from '../../parts/Panel';
import { usePlace } from '../../parts/place';
import { Empty } from '../../parts/states/Empty';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { useOffice } from '../../stream/hooks';
import { Breakdown } from './Breakdown';
import { Figures } from './Figures';
import { SPANS, type UsageSearch } from './search';
import { dayBars } from './sums';

const DayChart = lazy(() => import('./DayChart').then((m) => ({ default: m.DayChart })));
const route = getRouteApi('/o/$office/usage');

export function UsagePage() {
  const { t } = useTranslation();
  const { days = 7, by = 'agent', show } = route.useSearch();
  const navigate = route.useNavigate();
  const { office } = usePlace();
  const today = useOffice().clock.day;
  const query = useQuery(usageQuery(office, 'day', days));
  const change = (next: UsageSearch) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  // Where nothing costs money, tokens tell more.
  const showing = show ?? (query.data?.total.cost_usd_micros === 0 ? 'tokens' : 'money');
  return (
    <Page>
      <PageHeader
        title={t('usage.title')}
        text={t('usage.text')}
        actions={
          <SegmentedControl
            size="xs"
            data={SPANS.map((span) => ({ value: String(span), label: t(`usage.span.${span}`) }))}
            value={String(days)}
            onChange={(next) => {
              const span = SPANS.find((one) => String(one) === next);
              if (span !== undefined) change({ days: span });
            }}
            aria-label={t('usage.span_label')}
          />
        }
      />
      {query.isPending ? (
        <Loading rows={10} />
      ) : query.error ? (
        <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />
      ) : (
        <Stack gap="lg">
          <Figures report={query.data} />
          {query.data.total.requests === 0 ? (
            <Empty
              icon={<ChartColumn size={24} />}
              title={t('usage.empty')}
              text={t('usage.empty_text')}
            />
          ) : (
            <>
              <Panel
                title={t('usage.by_day')}
                action={
                  <Group>
                    <SegmentedControl
                      size="xs"
                      data={[
                        { value: 'money', label: t('usage.money') },
                        { value: 'tokens', label: t('usage.tokens') },
                      ]}
                      value={showing}
                      onChange={(next) =>
                        void navigate({
                          search: (old) => ({ ...old, show: next === 'tokens' ? next : 'money' }),
                          replace: true,
                        })
                      }
                      aria-label={t('usage.show_label')}
                    />
                  </Group>
                }
              >
                <Suspense fallback={<Loading rows={6} />}>
                  <DayChart bars={dayBars(query.data.rows, today, days)} showing={showing} />
                </Suspense>
              </Panel>
              <Breakdown by={by} days={days} onBy={(next) => change({ by: next })} />
            </>
          )}
        </Stack>
      )}
    </Page>
  );
}
