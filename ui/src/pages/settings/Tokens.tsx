/** API tokens: for programs, limited to what they need; the secret shows once. */
import { Alert, Button, Code, Group, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy, KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteToken } from '../../api/actions';
import { asProblem } from '../../api/problem';
import { tokensQuery } from '../../api/queries';
import type { TokenView } from '../../api/types';
import { ConfirmButton } from '../../parts/ConfirmButton';
import { notifyDone, notifyProblem } from '../../parts/notify';
import { Panel } from '../../parts/Panel';
import { Empty } from '../../parts/states/Empty';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { NewToken } from './NewToken';
import { RealTime } from './RealTime';
import classes from './Settings.module.css';

export function Tokens() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const query = useQuery(tokensQuery);
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<TokenView>();
  const revoke = useMutation({
    mutationFn: deleteToken,
    onSuccess: async (_nothing, id) => {
      await client.invalidateQueries({ queryKey: tokensQuery.queryKey });
      setMade((old) => (old?.id === id ? undefined : old));
      notifyDone(t('settings.tokens.revoked'));
    },
    onError: notifyProblem,
  });
  if (query.isPending) return <Loading rows={5} />;
  if (query.error) {
    return <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />;
  }
  const tokens = query.data.items;
  return (
    <div className={classes.stack}>
      {made?.secret && <Secret token={made} onClose={() => setMade(undefined)} />}
      <Panel
        title={t('settings.section.tokens')}
        action={
          <Button size="xs" leftSection={<Plus size={14} />} onClick={() => setMaking(!isMaking)}>
            {t('settings.tokens.new')}
          </Button>
        }
      >
        {isMaking && (
          <NewToken
            onMade={(token) => {
              setMade(token);
              setMaking(false);
            }}
            onCancel={() => setMaking(false)}
          />
        )}
        {tokens.length === 0 && !isMaking && (
          <Empty
            icon={<KeyRound size={24} />}
            title={t('settings.tokens.none')}
            text={t('settings.tokens.none_text')}
          />
        )}
        <ul className={classes.list}>
          {tokens.map((token) => (
            <li key={token.id} className={classes.line}>
              <KeyRound size={17} aria-hidden="true" />
              <div className={classes.grow}>
                <Text size="sm" fw={600}>
                  {token.name}
                </Text>
                <Text size="xs" c="dimmed">
                  {token.office || t('settings.tokens.all_offices')} ·{' '}
                  {token.scopes.includes('*')
                    ? t('settings.tokens.everything')
                    : token.scopes.join(', ')}{' '}
                  ·{' '}
                  {token.last_used_at ? (
                    <>
                      {t('settings.tokens.used')} <RealTime at={token.last_used_at} />
                    </>
                  ) : (
                    t('settings.tokens.never_used')
                  )}
                </Text>
              </div>
              <ConfirmButton
                size="xs"
                question={t('settings.tokens.revoke_text', { name: token.name })}
                onConfirm={() => revoke.mutate(token.id)}
              >
                {t('settings.tokens.revoke')}
              </ConfirmButton>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}

function Secret({ token, onClose }: { token: TokenView; onClose: () => void }) {
  const { t } = useTranslation();
  const clipboard = useClipboard();
  return (
    <Alert
      color="dawn"
      title={t('settings.tokens.secret', { name: token.name })}
      withCloseButton
      closeButtonLabel={t('parts.close')}
      onClose={onClose}
    >
      <Text size="sm" mb="xs">
        {t('settings.tokens.secret_text')}
      </Text>
      <Group gap="xs">
        <Code className={classes.secret}>{token.secret}</Code>
        <Button
          size="xs"
          variant="default"
          leftSection={<Copy size={13} />}
          onClick={() => clipboard.copy(token.secret)}
        >
          {t(clipboard.copied ? 'parts.copied' : 'parts.copy')}
        </Button>
      </Group>
    </Alert>
  );
}
