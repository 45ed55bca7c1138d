/** Something could not be shown: refused, not found, not reachable, or broken. */
import { Button } from '@mantine/core';
import { CloudOff, Lock, SearchX, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Problem } from '../../api/problem';
import { Notice } from './Notice';

interface Props {
  problem: Pick<Problem, 'status' | 'code' | 'message' | 'hint'>;
  retry?: (() => void) | undefined;
  compact?: boolean;
}

export function Failure({ problem, retry, compact = false }: Props) {
  const { t } = useTranslation();
  const again = retry && (
    <Button variant="default" size="xs" onClick={retry}>
      {t('parts.retry')}
    </Button>
  );
  const text = [problem.message, problem.hint].filter(Boolean).join(' ');
  if (problem.code === 'offline') {
    return (
      <Notice
        icon={<CloudOff size={24} />}
        title={t('parts.offline_title')}
        text={t('parts.offline_text')}
        tone="warn"
        compact={compact}
        action={again}
      />
    );
  }
  if (problem.status === 403) {
    return (
      <Notice
        icon={<Lock size={24} />}
        title={t('parts.denied_title')}
        text={text}
        tone="warn"
        compact={compact}
      />
    );
  }
  if (problem.status === 404) {
    return (
      <Notice
        icon={<SearchX size={24} />}
        title={t('parts.missing_title')}
        text={text}
        compact={compact}
      />
    );
  }
  return (
    <Notice
      icon={<TriangleAlert size={24} />}
      title={t('parts.error_title')}
      text={text}
      tone="bad"
      compact={compact}
      action={again}
    />
  );
}
