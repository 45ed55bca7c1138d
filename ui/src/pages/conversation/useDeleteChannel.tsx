/** Asks, then deletes a channel. */
import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { deleteChannel } from '../../api/actions';
import type { ThreadView } from '../../api/types';
import { openConfirm } from '../../parts/dialogs';
import { notifyProblem } from '../../parts/notify';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { useGo } from '../../parts/To';

export function useDeleteChannel(thread: ThreadView): () => void {
  const { t } = useTranslation();
  const { office } = usePlace();
  const go = useGo();
  const { mutate } = useMutation({
    mutationFn: () => deleteChannel(office, thread.name),
    onSuccess: () => go(paths.home(office)),
    onError: notifyProblem,
  });
  return () =>
    openConfirm({
      title: t('conversation.delete_channel'),
      children: (
        <Text size="sm">{t('conversation.delete_channel_text', { name: thread.name })}</Text>
      ),
      labels: { confirm: t('conversation.delete_channel_yes'), cancel: t('parts.cancel') },
      confirmProps: { color: 'red' },
      onConfirm: () => mutate(),
    });
}
