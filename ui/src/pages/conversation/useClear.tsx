/** Asks, then hides a thread's history. */
import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { clearThread } from '../../api/actions';
import type { ThreadView } from '../../api/types';
import { openConfirm } from '../../parts/dialogs';
import { notifyDone, notifyProblem } from '../../parts/notify';
import { usePlace } from '../../parts/place';

export function useClear(thread: ThreadView | undefined): () => void {
  const { t } = useTranslation();
  const { office } = usePlace();
  const { mutate } = useMutation({
    mutationFn: (id: string) => clearThread(office, id),
    onSuccess: () => notifyDone(t('conversation.cleared')),
    onError: notifyProblem,
  });
  return () => {
    if (thread === undefined) return;
    openConfirm({
      title: t('conversation.clear'),
      children: <Text size="sm">{t('conversation.clear_text')}</Text>,
      labels: { confirm: t('conversation.clear_yes'), cancel: t('parts.cancel') },
      confirmProps: { color: 'red' },
      onConfirm: () => mutate(thread.id),
    });
  };
}
