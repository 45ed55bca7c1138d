/** Spent today against the day's ceiling. */
import { Progress, Text, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { OfficeView } from '../../api/types';
import { money } from '../../parts/text/numbers';

interface Props {
  office: OfficeView;
}

export function BudgetMeter({ office }: Props) {
  const { t, i18n } = useTranslation();
  const spent = money(office.spent_usd_micros, i18n.language);
  const limit = money(office.budget_usd_micros, i18n.language);
  const limited = office.budget_usd_micros > 0;
  const share = limited ? (office.spent_usd_micros / office.budget_usd_micros) * 100 : 0;
  const label = limited ? t('shell.spent_of', { spent, limit }) : t('shell.spent_free', { spent });
  return (
    <Tooltip label={label}>
      <div style={{ minWidth: 84 }} className="mantine-visible-from-md">
        <Text size="xs" className="tabular" ta="right" lh={1.2}>
          {limited ? `${spent} / ${limit}` : spent}
        </Text>
        {limited && (
          <Progress
            mt={4}
            size={4}
            value={Math.min(100, share)}
            color={share >= 80 ? 'dawn.6' : 'pine.6'}
            aria-label={label}
          />
        )}
      </div>
    </Tooltip>
  );
}
