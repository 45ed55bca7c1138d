/** The words that go with a move: why it is blocked or failed, or what came of it. */
import { Button, Group, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Evidence, TaskStatus } from '../../api/types';

export interface MoveWords {
  reason?: string;
  result?: string;
  evidence?: Evidence[];
}

interface Props {
  to: TaskStatus;
  onSubmit: (words: MoveWords) => void;
}

export function MoveForm({ to, onSubmit }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const isDone = to === 'done';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const words = text.trim();
    onSubmit(
      isDone
        ? { result: words, evidence: [{ kind: 'note', text: words, path: '', agent: '' }] }
        : { reason: words },
    );
  };
  return (
    <form onSubmit={submit}>
      <Textarea
        label={t(isDone ? 'board.move_evidence' : 'board.move_reason')}
        description={t(isDone ? 'board.move_evidence_text' : 'board.move_reason_text')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        autosize
        minRows={3}
        required
        data-autofocus
      />
      <Group justify="flex-end" mt="md">
        <Button type="submit" disabled={text.trim() === ''}>
          {t(`board.move_go.${to}`)}
        </Button>
      </Group>
    </form>
  );
}
