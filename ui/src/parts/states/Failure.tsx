/** Something could not be shown: refused, not found, not reachable, or broken. */
import { Button } from '@mantine/core';
import { CloudOff, Lock, SearchX, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Problem } from '../../api/problem';
import { said } from '../text/said';
import { Notice } from './Notice';

interface Props {
  problem: Pick<Problem, 'status' | 'code' | 'message' | 'hint'>;
  retry?: (() => void) | undefined;
  compact?: boolean;
  /** It is the whole page: its title is the page's. */
  isPage?: boolean;
}

export function Failure({ problem, retry, compact = false, isPage = false }: Props) {
  const { t } = useTranslation();
  const again = retry && (
    <Button variant="default" size="xs" onClick={retry}>
      {t('parts.retry')}
    </Button>
  );
  const text = [problem.message, problem.hint].filter(Boolean).map(said).join(' ');
  if (problem.code === 'offline') {
    return (
      <Notice
        icon={<CloudOff size={24} />}
        title={t('parts.offline_title')}
        text={t('parts.offline_text')}
        tone="warn"
        compact={compact}
        isPage={isPage}
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
        isPage={isPage}
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
        isPage={isPage}
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
      isPage={isPage}
      action={again}
    />
  );
}
