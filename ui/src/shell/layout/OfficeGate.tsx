/** Shows the office once its first snapshot is here; says why when it does not come. */
import { Center, Loader, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../parts/states/Failure';
import { To } from '../../parts/To';
import { useIsLoaded, useLink, useOfficeName } from '../../stream/hooks';

interface Props {
  children: ReactNode;
}

export function OfficeGate({ children }: Props) {
  const { t } = useTranslation();
  const link = useLink();
  const loaded = useIsLoaded();
  const office = useOfficeName();
  const navigate = useNavigate();
  useEffect(() => {
    if (link === 'signed_out') {
      void navigate({ to: '/sign-in', search: { back: location.pathname + location.search } });
    }
  }, [link, navigate]);

  if (link === 'gone') {
    return (
      <main>
        <Failure
          isPage
          problem={{
            status: 404,
            code: 'not_found',
            message: t('shell.gone', { office }),
            hint: '',
          }}
        />
        <Center>
          <To to="/">{t('shell.missing_home')}</To>
        </Center>
      </main>
    );
  }
  if (loaded) return children;
  if (link === 'lost') {
    return (
      <main>
        <Failure isPage problem={{ status: 0, code: 'offline', message: '', hint: '' }} />
      </main>
    );
  }
  return (
    <Center h="100dvh" component="main">
      <Stack align="center" gap="sm" role="status">
        <Loader color="dawn" type="dots" />
        <Text size="sm" c="dimmed">
          {t('shell.opening')}
        </Text>
      </Stack>
    </Center>
  );
}
