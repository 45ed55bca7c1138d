/** Money or tokens of each office day as bars; the same numbers stand in a table for those who cannot see them. */
import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { compact, money, plain } from '../../parts/text/numbers';
import type { DayBar } from './sums';
import classes from './Usage.module.css';

interface Props {
  bars: readonly DayBar[];
  showing: 'money' | 'tokens';
}

export function DayChart({ bars, showing }: Props) {
  const { t, i18n } = useTranslation();
  const isMoney = showing === 'money';
  const data = bars.map((bar) => ({ ...bar, name: t('usage.day', { day: bar.day }) }));
  const series = isMoney
    ? [{ name: 'dollars', label: t('usage.cost'), color: 'pine.6' }]
    : [
        { name: 'input', label: t('usage.input_fresh'), color: 'pine.6' },
        { name: 'cached', label: t('usage.input_cached'), color: 'pine.3' },
        { name: 'output', label: t('usage.output'), color: 'dawn.5' },
      ];
  return (
    <>
      <div className={classes.chart} aria-hidden="true">
        <BarChart
          h={250}
          data={data}
          dataKey="name"
          type="stacked"
          series={series}
          withLegend={!isMoney}
          maxBarWidth={46}
          tickLine="none"
          gridAxis="y"
          valueFormatter={(value) =>
            isMoney ? money(value * 1_000_000, i18n.language) : compact(value, i18n.language)
          }
          barChartProps={{ accessibilityLayer: false }}
          barProps={{ isAnimationActive: false }}
        />
      </div>
      <VisuallyHidden>
        <table>
          <caption>{t('usage.by_day')}</caption>
          <tbody>
            {data.map((bar) => (
              <tr key={bar.day}>
                <th scope="row">{bar.name}</th>
                <td>{money(bar.dollars * 1_000_000, i18n.language)}</td>
                <td>{plain(bar.input + bar.cached + bar.output, i18n.language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </>
  );
}
