/** Says that the answers are scripted and no model is asked. */
import { Badge, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';

export function RehearsalBadge() {
  const { t } = useTranslation();
  return (
    <Tooltip label={t('shell.rehearsal_text')} multiline maw={280}>
      <Badge variant="light" color="dawn" tt="none" visibleFrom="md" tabIndex={0}>
        {t('shell.rehearsal')}
      </Badge>
    </Tooltip>
  );
}
