/** What a person can do to a run that goes on: tell it something, or stop it. */
import { Button, Group, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CornerDownRight, Square } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cancelRun, steerRun } from '../../api/actions';
import type { RunView } from '../../api/types';
import { notifyDone, notifyProblem } from '../../parts/notify';
import { usePlace } from '../../parts/place';
import classes from './Runs.module.css';

interface Props {
  run: RunView;
}

export function RunControls({ run }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const [text, setText] = useState('');
  const steer = useMutation({
    mutationFn: () => steerRun(office, run.id, text.trim()),
    onSuccess: () => {
      setText('');
      notifyDone(t('runs.steered'));
    },
    onError: notifyProblem,
  });
  const stop = useMutation({
    mutationFn: () => cancelRun(office, run.id),
    onError: notifyProblem,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') steer.mutate();
  };
  return (
    <form onSubmit={submit} className={classes.controls}>
      <TextInput
        className={classes.grow}
        size="sm"
        leftSection={<CornerDownRight size={15} />}
        placeholder={t('runs.steer_text', { agent: run.agent })}
        aria-label={t('runs.steer_text', { agent: run.agent })}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group gap="xs">
        <Button type="submit" loading={steer.isPending} disabled={text.trim() === ''}>
          {t('runs.steer')}
        </Button>
        <Button
          variant="default"
          leftSection={<Square size={12} fill="currentColor" />}
          loading={stop.isPending || stop.isSuccess}
          onClick={() => stop.mutate()}
        >
          {t('runs.stop')}
        </Button>
      </Group>
    </form>
  );
}
