/** Language and theme; they belong to the person and follow it to other browsers. */
import {
  Button,
  Group,
  SegmentedControl,
  Text,
  TextInput,
  useMantineColorScheme,
} from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeMe } from '../../api/actions';
import { meQuery } from '../../api/queries';
import type { Language, ThemeChoice } from '../../api/types';
import { notifyDone, notifyProblem } from '../../parts/notify';
import { Panel } from '../../parts/Panel';
import classes from './Settings.module.css';

interface Props {
  onLanguage: (language: Language) => Promise<void>;
}

export function Look({ onLanguage }: Props) {
  const { t, i18n } = useTranslation();
  const client = useQueryClient();
  const me = useQuery(meQuery);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [name, setName] = useState<string>();
  const known = me.data?.person.name ?? '';
  const change = useMutation({
    mutationFn: changeMe,
    onSuccess: (next) => {
      client.setQueryData(meQuery.queryKey, next);
      setName(undefined);
    },
    onError: notifyProblem,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name === undefined) return;
    change.mutate({ name: name.trim() }, { onSuccess: () => notifyDone(t('settings.saved')) });
  };
  return (
    <Panel title={t('settings.section.look')}>
      <form className={classes.form} onSubmit={submit}>
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t('settings.look.name')}
            w={260}
            value={name ?? known}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button
            type="submit"
            variant="default"
            loading={change.isPending}
            disabled={name === undefined || name.trim() === '' || name.trim() === known}
          >
            {t('settings.save')}
          </Button>
        </Group>
        <div>
          <Text size="sm" fw={500} mb={4}>
            {t('settings.look.language')}
          </Text>
          <SegmentedControl
            data={[
              { value: 'en', label: 'English' },
              { value: 'zh', label: '中文' },
            ]}
            value={i18n.language}
            onChange={(next) => {
              const language = next as Language;
              void onLanguage(language);
              change.mutate({ language });
            }}
            aria-label={t('settings.look.language')}
          />
        </div>
        <div>
          <Text size="sm" fw={500} mb={4}>
            {t('settings.look.theme')}
          </Text>
          <SegmentedControl
            data={(['light', 'dark', 'auto'] as const).map((value) => ({
              value,
              label: t(`settings.look.themes.${value}`),
            }))}
            value={colorScheme}
            onChange={(next) => {
              const theme = next as ThemeChoice;
              setColorScheme(theme);
              change.mutate({ theme });
            }}
            aria-label={t('settings.look.theme')}
          />
        </div>
      </form>
    </Panel>
  );
}
