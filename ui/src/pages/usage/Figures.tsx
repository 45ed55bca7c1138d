/** The sums of the span, and today's budget; requests without a price are said, not hidden. */
import { Alert, Progress, Text } from '@mantine/core';
import { CircleHelp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { UsageReport } from '../../api/types';
import { Money } from '../../parts/Money';
import { Panel } from '../../parts/Panel';
import { compact, plain } from '../../parts/text/numbers';
import { cachedShare } from './sums';
import classes from './Usage.module.css';

interface Props {
  report: UsageReport;
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text fw={650} className={`${classes.number} tabular`}>
        {children}
      </Text>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
    </div>
  );
}

export function Figures({ report }: Props) {
  const { t, i18n } = useTranslation();
  const { total, budget } = report;
  const cached = cachedShare(total);
  return (
    <>
      {total.unpriced_requests > 0 && (
        <Alert color="dawn" icon={<CircleHelp size={18} />} title={t('usage.unpriced_title')}>
          {t('usage.unpriced', { count: total.unpriced_requests })}
        </Alert>
      )}
      <Panel title={t('usage.sums')}>
        <div className={classes.figures}>
          <Figure name={t('usage.cost')}>
            <Money micros={total.cost_usd_micros} />
          </Figure>
          <Figure name={t('usage.requests')}>{plain(total.requests, i18n.language)}</Figure>
          <Figure name={t('usage.input')}>{compact(total.input_tokens, i18n.language)}</Figure>
          <Figure name={t('usage.output')}>{compact(total.output_tokens, i18n.language)}</Figure>
          <Figure name={t('usage.cached')}>
            {cached === null ? '–' : `${Math.round(cached * 100)} %`}
          </Figure>
        </div>
        <Budget budget={budget} />
      </Panel>
    </>
  );
}

function Budget({ budget }: { budget: UsageReport['budget'] }) {
  const { t } = useTranslation();
  const { limit_usd_micros: limit, spent_usd_micros: spent } = budget;
  if (limit === 0) {
    return (
      <Text size="sm" c="dimmed" mt="md">
        {t('usage.no_budget')}
      </Text>
    );
  }
  const share = (spent / limit) * 100;
  return (
    <div className={classes.budget}>
      <Text size="sm" mb={6}>
        <Money micros={spent} /> {t('usage.of_budget')} <Money micros={limit} />{' '}
        <Text span c="dimmed" className="tabular">
          ({Math.round(share)} %)
        </Text>
      </Text>
      <Progress
        value={Math.min(100, share)}
        color={share >= 100 ? 'red' : share >= 80 ? 'dawn.6' : 'pine.6'}
        aria-label={t('usage.budget_used')}
      />
    </div>
  );
}
