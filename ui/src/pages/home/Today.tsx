/** Today in figures: money against its ceiling, tokens, and how much the cache saved. */
import { Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usageQuery } from '../../api/queries';
import { Money } from '../../parts/Money';
import { Panel } from '../../parts/Panel';
import { paths } from '../../parts/paths';
import { To } from '../../parts/To';
import { compact } from '../../parts/text/numbers';
import { useOffice } from '../../stream/hooks';
import classes from './Home.module.css';

function Figure({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div>
      <Text fw={650} size="lg" className="tabular">
        {value}
      </Text>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
    </div>
  );
}

export function Today() {
  const { t, i18n } = useTranslation();
  const office = useOffice();
  const { data } = useQuery(usageQuery(office.name, 'day', 1));
  const total = data?.total;
  const cached = total?.input_tokens ? total.cache_read_tokens / total.input_tokens : 0;
  const limit = office.budget_usd_micros;
  const share = limit > 0 ? (office.spent_usd_micros / limit) * 100 : 0;
  return (
    <Panel
      title={t('home.today')}
      action={
        <To to={paths.usage(office.name)} style={{ fontSize: 13 }}>
          {t('home.see_usage')}
        </To>
      }
    >
      <Text size="sm" mb={6}>
        <Text span fw={650} size="xl">
          <Money micros={office.spent_usd_micros} />
        </Text>{' '}
        <Text span c="dimmed">
          {limit > 0 ? (
            <>
              {t('home.of_budget')} <Money micros={limit} />
            </>
          ) : (
            t('home.no_budget')
          )}
        </Text>
      </Text>
      {limit > 0 && (
        <Progress
          value={Math.min(100, share)}
          color={share >= 80 ? 'dawn.6' : 'pine.6'}
          aria-label={t('home.budget_used')}
          mb="md"
        />
      )}
      <div className={classes.figures}>
        <Figure name={t('home.requests')} value={total ? total.requests : '–'} />
        <Figure
          name={t('home.tokens')}
          value={total ? compact(total.input_tokens + total.output_tokens, i18n.language) : '–'}
        />
        <Figure name={t('home.cached')} value={total ? `${Math.round(cached * 100)} %` : '–'} />
      </div>
    </Panel>
  );
}
