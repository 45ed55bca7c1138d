/** The form of a new API token. */
import { Button, Checkbox, Group, SegmentedControl, Select, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createToken } from '../../api/actions';
import { meQuery, tokensQuery } from '../../api/queries';
import type { TokenView } from '../../api/types';
import { problemText } from '../../parts/notify';
import classes from './Settings.module.css';
import { GROUP_NAMES, READING, SCOPE_GROUPS } from './scopes';

interface Props {
  onMade: (token: TokenView) => void;
  onCancel: () => void;
}

type Reach = 'read' | 'all' | 'some';

export function NewToken({ onMade, onCancel }: Props) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const me = useQuery(meQuery);
  const [name, setName] = useState('');
  const [office, setOffice] = useState<string | null>(null);
  const [reach, setReach] = useState<Reach>('read');
  const [some, setSome] = useState<string[]>(READING);
  const scopes = reach === 'all' ? ['*'] : reach === 'read' ? READING : some;
  const make = useMutation({
    mutationFn: () =>
      createToken({ name: name.trim(), scopes, ...(office === null ? {} : { office }) }),
    onSuccess: async (token) => {
      await client.invalidateQueries({ queryKey: tokensQuery.queryKey });
      onMade(token);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <form onSubmit={submit} className={classes.newToken}>
      <Group gap="sm" grow align="flex-start">
        <TextInput
          label={t('settings.tokens.name')}
          description={t('settings.tokens.name_text')}
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={make.error ? problemText(make.error) : undefined}
          data-autofocus
        />
        <Select
          label={t('settings.tokens.office')}
          description={t('settings.tokens.office_text')}
          placeholder={t('settings.tokens.all_offices')}
          data={(me.data?.offices ?? []).map((one) => ({
            value: one.name,
            label: one.title || one.name,
          }))}
          value={office}
          onChange={setOffice}
          clearable
        />
      </Group>
      <div>
        <Text size="sm" fw={500} mb={4}>
          {t('settings.tokens.scopes')}
        </Text>
        <SegmentedControl
          size="xs"
          data={(['read', 'some', 'all'] as const).map((value) => ({
            value,
            label: t(`settings.tokens.reach.${value}`),
          }))}
          value={reach}
          onChange={(next) => setReach(next as Reach)}
          aria-label={t('settings.tokens.scopes')}
        />
      </div>
      {reach === 'some' && (
        <Checkbox.Group
          value={some}
          onChange={setSome}
          label={t('settings.tokens.which')}
          labelProps={{ fz: 'xs', c: 'dimmed' }}
        >
          <div className={classes.scopes}>
            {GROUP_NAMES.map((group) => (
              <div key={group}>
                <Text size="xs" fw={650} mb={4}>
                  {t(`settings.tokens.group.${group}`)}
                </Text>
                {SCOPE_GROUPS[group].map((scope) => (
                  <Checkbox key={scope} size="xs" mb={4} value={scope} label={scope} />
                ))}
              </div>
            ))}
          </div>
        </Checkbox.Group>
      )}
      <Group gap="xs">
        <Button
          type="submit"
          size="xs"
          loading={make.isPending}
          disabled={name.trim() === '' || scopes.length === 0}
        >
          {t('settings.tokens.create')}
        </Button>
        <Button size="xs" variant="default" onClick={onCancel}>
          {t('parts.cancel')}
        </Button>
      </Group>
    </form>
  );
}
