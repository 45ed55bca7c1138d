/** Usage by agent, model, task or run as a table, with its part of the whole; to be taken along as CSV. */
import { Button, Group as Row, SegmentedControl, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { usageQuery } from '../../api/queries';
import type { UsageRow } from '../../api/types';
import { Money } from '../../parts/Money';
import { Panel } from '../../parts/Panel';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { To } from '../../parts/To';
import { compact, plain } from '../../parts/text/numbers';
import { useSnapshot } from '../../stream/hooks';
import { GROUPS, type Group } from './search';
import { allTokens, cachedShare, dearestFirst, toCsv } from './sums';
import classes from './Usage.module.css';

interface Props {
  by: Group;
  days: number;
  onBy: (by: Group) => void;
}

/** Rows drawn at once; more on demand. */
const STEP = 50;

function save(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`\uFEFF${text}`], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export function Breakdown({ by, days, onBy }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const tasks = useSnapshot((s) => s.tasks);
  const query = useQuery(usageQuery(office, by, days));
  const nameOf = (key: string) => {
    if (key === '') return t('usage.none_key');
    return by === 'task' ? (tasks[key]?.title ?? key) : key;
  };
  const rows = dearestFirst(query.data?.rows ?? []);
  return (
    <Panel
      title={t('usage.by')}
      action={
        <Row gap="xs">
          <SegmentedControl
            size="xs"
            data={GROUPS.map((value) => ({ value, label: t(`usage.group.${value}`) }))}
            value={by}
            onChange={(next) => onBy(next as Group)}
            aria-label={t('usage.by')}
          />
          <Button
            size="xs"
            variant="default"
            leftSection={<Download size={14} />}
            disabled={rows.length === 0}
            onClick={() => save(`${office}-${by}-${days}.csv`, toCsv(by, rows, nameOf))}
          >
            {t('usage.csv')}
          </Button>
        </Row>
      }
    >
      {query.isPending ? (
        <Loading rows={6} />
      ) : query.error ? (
        <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} compact />
      ) : (
        <Rows key={by} by={by} rows={rows} total={query.data.total} nameOf={nameOf} />
      )}
    </Panel>
  );
}

interface RowsProps {
  by: Group;
  rows: readonly UsageRow[];
  total: UsageRow;
  nameOf: (key: string) => string;
}

function Rows({ by, rows, total, nameOf }: RowsProps) {
  const { t, i18n } = useTranslation();
  const [shown, setShown] = useState(STEP);
  const whole = total.cost_usd_micros;
  const part = (row: UsageRow) =>
    whole > 0
      ? row.cost_usd_micros / whole
      : allTokens(total) > 0
        ? allTokens(row) / allTokens(total)
        : 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and must do so by keyboard
    // biome-ignore lint/a11y/useSemanticElements: not a set of form fields
    <div className={classes.scroll} tabIndex={0} role="group" aria-label={t('usage.by')}>
      <Table verticalSpacing={8} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t(`usage.group.${by}`)}</Table.Th>
            <Table.Th>{t('usage.share')}</Table.Th>
            <Table.Th ta="right">{t('usage.cost')}</Table.Th>
            <Table.Th ta="right">{t('usage.requests')}</Table.Th>
            <Table.Th ta="right">{t('usage.input')}</Table.Th>
            <Table.Th ta="right">{t('usage.output')}</Table.Th>
            <Table.Th ta="right">{t('usage.cached')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.slice(0, shown).map((row) => (
            <Table.Tr key={row.key}>
              <Table.Td className={classes.key}>
                <Key by={by} id={row.key} name={nameOf(row.key)} />
              </Table.Td>
              <Table.Td>
                <span className={classes.part}>
                  <span className={classes.fill} style={{ width: `${part(row) * 100}%` }} />
                </span>
              </Table.Td>
              <Table.Td ta="right">
                <Money micros={row.cost_usd_micros} />
                {row.unpriced_requests > 0 && (
                  <Text size="xs" c="dimmed">
                    {t('usage.plus_unpriced', { count: row.unpriced_requests })}
                  </Text>
                )}
              </Table.Td>
              <Table.Td ta="right" className="tabular">
                {plain(row.requests, i18n.language)}
              </Table.Td>
              <Table.Td ta="right" className="tabular">
                {compact(row.input_tokens, i18n.language)}
              </Table.Td>
              <Table.Td ta="right" className="tabular">
                {compact(row.output_tokens, i18n.language)}
              </Table.Td>
              <Table.Td ta="right" className="tabular">
                {cachedShare(row) === null ? '–' : `${Math.round((cachedShare(row) ?? 0) * 100)} %`}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length > shown && (
        <Button mt="sm" size="xs" variant="default" onClick={() => setShown(shown + STEP)}>
          {t('usage.more', { count: rows.length - shown })}
        </Button>
      )}
    </div>
  );
}

function Key({ by, id, name }: { by: Group; id: string; name: string }) {
  const { office } = usePlace();
  if (id === '' || by === 'model') return <span>{name}</span>;
  const to =
    by === 'agent'
      ? paths.agent(office, id, 'usage')
      : by === 'task'
        ? paths.board(office, id)
        : paths.run(office, id);
  return <To to={to}>{name}</To>;
}
