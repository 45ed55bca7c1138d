/** Tokens of a run or turn: in, out, and how much of it the provider had cached. */
import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Usage } from '../api/types';
import { compact, plain } from './text/numbers';

interface Props {
  usage: Usage;
}

export function Tokens({ usage }: Props) {
  const { t, i18n } = useTranslation();
  const { input_tokens: input = 0, output_tokens: output = 0 } = usage;
  const cached = usage.cache_read_tokens ?? 0;
  const share = input > 0 ? Math.round((cached / input) * 100) : 0;
  return (
    <Tooltip
      label={t('parts.tokens_detail', {
        input: plain(input, i18n.language),
        output: plain(output, i18n.language),
        share,
      })}
    >
      <span className="tabular">
        {t('parts.tokens', { count: compact(input + output, i18n.language) })}
      </span>
    </Tooltip>
  );
}
