/** Jumps to a moment: a day and a time in the office's zone. */
import { ActionIcon, Button, Popover, TextInput, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { seqAt } from '../../api/moment';
import { notifyProblem } from '../../parts/notify';
import { usePlace } from '../../parts/place';
import { fromLocal, toLocal } from '../../parts/text/zone';
import { useStore } from '../../stream/hooks';

interface Props {
  onJump: (seq: number) => void;
}

export function JumpTo({ onJump }: Props) {
  const { t } = useTranslation();
  const { office, zone, now } = usePlace();
  const store = useStore();
  const [opened, popover] = useDisclosure(false);
  const [when, setWhen] = useState('');
  const jump = useMutation({
    mutationFn: () => seqAt(office, fromLocal(when, zone), store.state?.snapshot.seq ?? 1),
    onSuccess: (seq) => {
      popover.close();
      onJump(seq);
    },
    onError: notifyProblem,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (when !== '') jump.mutate();
  };
  return (
    <Popover opened={opened} onChange={popover.set} trapFocus position="bottom-end">
      <Popover.Target>
        <Tooltip label={t('feed.jump')}>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t('feed.jump')}
            onClick={() => {
              setWhen(toLocal(now(), zone));
              popover.toggle();
            }}
          >
            <History size={15} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={submit}>
          <TextInput
            type="datetime-local"
            label={t('feed.jump_when', { zone })}
            value={when}
            onChange={(event) => setWhen(event.currentTarget.value)}
          />
          <Button type="submit" size="xs" mt="sm" fullWidth loading={jump.isPending}>
            {t('feed.jump_go')}
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
