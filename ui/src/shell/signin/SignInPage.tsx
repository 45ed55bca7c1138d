/** Signing in: by the link the office printed, or by pasting it. */
import { Alert, Button, Group, Loader, Text, Textarea, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { signIn } from '../../api/actions';
import { asProblem } from '../../api/problem';
import { meQuery } from '../../api/queries';
import { Mark } from '../../parts/Mark';
import { acceptMe } from '../me';
import classes from './SignIn.module.css';
import { tokenIn, waitingToken } from './token';

interface Props {
  /** Where the person wanted to go. */
  back: string;
}

export function SignInPage({ back }: Props) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const router = useRouter();
  const [pasted, setPasted] = useState('');
  const [hint, setHint] = useState('');
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: signIn,
    onSuccess: async (me) => {
      client.clear();
      client.setQueryData(meQuery.queryKey, me);
      await acceptMe(me);
      router.history.replace(back.startsWith('/o/') ? back : '/');
    },
  });

  useEffect(() => {
    const token = waitingToken();
    if (token !== '') mutate(token);
  }, [mutate]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const token = tokenIn(pasted);
    setHint(token === '' ? t('signin.not_a_link') : '');
    if (token !== '') mutate(token);
  };

  const problem = error === null ? null : asProblem(error);
  return (
    <main className={classes.page}>
      <div className={classes.sun} />
      <div className={classes.card}>
        <Group gap="sm" mb="md">
          <Mark size={38} />
          <Title order={1}>{t('signin.title')}</Title>
        </Group>
        {isPending || isSuccess ? (
          <Group gap="sm" py="lg" role="status">
            <Loader size="sm" />
            <Text>{t('signin.working')}</Text>
          </Group>
        ) : (
          <form onSubmit={submit}>
            <Text c="dimmed" size="sm" mb="md">
              {t('signin.text')}
            </Text>
            {problem && (
              <Alert color="red" variant="light" mb="md" title={t('signin.refused')}>
                {problem.code === 'offline' ? t('parts.offline_text') : problem.message}{' '}
                {problem.hint || t('signin.new_link')}
              </Alert>
            )}
            <Textarea
              label={t('signin.label')}
              placeholder="http://127.0.0.1:8787/#token=…"
              autosize
              minRows={2}
              maxRows={4}
              value={pasted}
              onChange={(event) => setPasted(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                event.preventDefault();
                event.currentTarget.form?.requestSubmit();
              }}
              error={hint}
              data-autofocus
            />
            <Button type="submit" mt="md" fullWidth leftSection={<KeyRound size={16} />}>
              {t('signin.button')}
            </Button>
            <Text size="xs" c="dimmed" mt="md">
              {t('signin.help')}
            </Text>
          </form>
        )}
      </div>
    </main>
  );
}
