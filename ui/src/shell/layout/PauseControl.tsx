/** Pauses the whole office, or lets it go on; says why it stands still. */
import { Button, Popover, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { Pause, Play } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pauseOffice, resumeOffice } from '../../api/actions';
import type { OfficeView } from '../../api/types';
import { notifyProblem } from '../../parts/notify';

interface Props {
  office: OfficeView;
}

export function PauseControl({ office }: Props) {
  const { t } = useTranslation();
  const [opened, popover] = useDisclosure(false);
  const [reason, setReason] = useState('');
  const paused = office.state === 'paused';
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      paused ? resumeOffice(office.name) : pauseOffice(office.name, reason.trim()),
    onSuccess: () => {
      popover.close();
      setReason('');
    },
    onError: notifyProblem,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <Popover opened={opened} onChange={popover.set} width={300} position="bottom-end" trapFocus>
      <Popover.Target>
        <Button
          size="xs"
          px="sm"
          variant={paused ? 'filled' : 'default'}
          color={paused ? 'dawn.7' : 'pine'}
          leftSection={paused ? <Play size={14} /> : <Pause size={14} />}
          onClick={popover.toggle}
          data-tour="pause"
        >
          {t(paused ? 'shell.paused' : 'shell.pause')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={submit}>
          <Text fw={650}>{t(paused ? 'shell.paused_title' : 'shell.pause_title')}</Text>
          <Text size="sm" c="dimmed" mb="sm">
            {paused ? office.paused_reason || t('shell.paused_text') : t('shell.pause_text')}
          </Text>
          {!paused && (
            <Textarea
              label={t('shell.pause_reason')}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              autosize
              minRows={2}
              mb="sm"
            />
          )}
          <Button type="submit" fullWidth size="sm" loading={isPending}>
            {t(paused ? 'shell.resume' : 'shell.pause_now')}
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
