/** Grey lines in the shape of what is coming. */
import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface Props {
  rows?: number;
}

const WIDTHS = ['72%', '94%', '58%', '83%', '66%'];

export function Loading({ rows = 5 }: Props) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm" p="md" role="status" aria-busy="true">
      <VisuallyHidden>{t('parts.loading')}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <Skeleton key={row} height={14} width={WIDTHS[row % WIDTHS.length] ?? '80%'} radius="sm" />
      ))}
    </Stack>
  );
}
