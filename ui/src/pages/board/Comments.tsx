/** Remarks on a card. */
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { commentTask } from '../../api/actions';
import type { CommentView } from '../../api/types';
import { draftStore } from '../../parts/drafts';
import { Face } from '../../parts/Face';
import { Markdown } from '../../parts/markdown/Markdown';
import { notifyProblem } from '../../parts/notify';
import { usePlace } from '../../parts/place';
import { TimeText } from '../../parts/TimeText';

interface Props {
  task: string;
  comments: readonly CommentView[];
}

function Comment({ comment }: { comment: CommentView }) {
  const { person, personName } = usePlace();
  const [kind = '', id = ''] = comment.author.split(/:(.*)/s);
  const name = kind === 'person' && id === person ? personName : id || comment.author;
  return (
    <Group align="flex-start" gap="sm" wrap="nowrap">
      <Face name={name} kind={kind === 'person' ? 'person' : 'agent'} size={28} />
      <div style={{ minWidth: 0, flex: 1 }}>
        <Text size="sm">
          <strong>{name}</strong>{' '}
          <Text span size="xs" c="dimmed">
            <TimeText at={comment.at} />
          </Text>
        </Text>
        <Markdown text={comment.text} agent={kind === 'agent' ? id : ''} />
      </div>
    </Group>
  );
}

export function Comments({ task, comments }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const draft = draftStore(office, `task:${task}`);
  const [text, setText] = useState(draft.read);
  const change = (next: string) => {
    setText(next);
    draft.write(next);
  };
  const { mutate, isPending } = useMutation({
    mutationFn: () => commentTask(office, task, text.trim()),
    onSuccess: () => change(''),
    onError: notifyProblem,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <Stack gap="md">
      {comments.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('board.no_comments')}
        </Text>
      )}
      {comments.map((comment) => (
        <Comment key={comment.n} comment={comment} />
      ))}
      <form onSubmit={submit}>
        <Textarea
          autosize
          minRows={2}
          aria-label={t('board.comment')}
          placeholder={t('board.comment')}
          value={text}
          onChange={(event) => change(event.currentTarget.value)}
        />
        <Group justify="flex-end" mt="xs">
          <Button type="submit" size="xs" loading={isPending} disabled={text.trim() === ''}>
            {t('board.comment_send')}
          </Button>
        </Group>
      </form>
    </Stack>
  );
}
