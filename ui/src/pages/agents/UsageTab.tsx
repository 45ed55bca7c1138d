/** What an agent has cost: today, this week, this month, and its share of the office. */
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { usageQuery } from '../../api/queries';
import type { AgentView, UsageRow } from '../../api/types';
import { Money } from '../../parts/Money';
import { Panel } from '../../parts/Panel';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { To } from '../../parts/To';
import { compact, plain } from '../../parts/text/numbers';
import classes from './Agent.module.css';

interface Props {
  agent: AgentView;
}

const SPANS = [1, 7, 30] as const;

export function UsageTab({ agent }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  return (
    <Stack gap="lg">
      {SPANS.map((days) => (
        <Span key={days} agent={agent} days={days} />
      ))}
      <Text size="sm">
        <To to={paths.usage(office)}>{t('agents.usage.office')}</To>
      </Text>
    </Stack>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text fw={650} size="lg" className="tabular">
        {children}
      </Text>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
    </div>
  );
}

function Span({ agent, days }: Props & { days: number }) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const query = useQuery(usageQuery(office, 'agent', days));
  return (
    <Panel title={t(`agents.usage.days_${days}`)}>
      {query.isPending ? (
        <Loading rows={2} />
      ) : query.error ? (
        <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} compact />
      ) : (
        <Figures
          row={query.data.rows.find((one) => one.key === agent.name)}
          total={query.data.total}
        />
      )}
    </Panel>
  );
}

const tokens = (row: UsageRow) => row.input_tokens + row.output_tokens;
const percent = (part: number, whole: number) =>
  whole > 0 ? `${Math.round((part / whole) * 100)} %` : '–';

function Figures({ row, total }: { row: UsageRow | undefined; total: UsageRow }) {
  const { t, i18n } = useTranslation();
  if (row === undefined) {
    return (
      <Text size="sm" c="dimmed">
        {t('agents.usage.none')}
      </Text>
    );
  }
  return (
    <>
      <div className={classes.figures}>
        <Figure name={t('agents.usage.cost')}>
          <Money micros={row.cost_usd_micros} />
        </Figure>
        <Figure name={t('agents.usage.requests')}>{plain(row.requests, i18n.language)}</Figure>
        <Figure name={t('agents.usage.input')}>{compact(row.input_tokens, i18n.language)}</Figure>
        <Figure name={t('agents.usage.output')}>{compact(row.output_tokens, i18n.language)}</Figure>
        <Figure name={t('agents.usage.cached')}>
          {percent(row.cache_read_tokens, row.input_tokens)}
        </Figure>
        <Figure name={t('agents.usage.share')}>{percent(tokens(row), tokens(total))}</Figure>
      </div>
      {row.unpriced_requests > 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          {t('agents.usage.unpriced', { count: row.unpriced_requests })}
        </Text>
      )}
    </>
  );
}
