/** Sidebar, top bar, and room for the page. */
import { AppShell } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { PlaceContext } from '../../parts/place';
import { Loading } from '../../parts/states/Loading';
import { officeNow } from '../../stream/clock';
import { useOffice } from '../../stream/hooks';
import { useMe } from '../useMe';
import { ConnectionBanner } from './ConnectionBanner';
import classes from './OfficeFrame.module.css';
import { PhoneBar } from './PhoneBar';
import { Sidebar } from './Sidebar';
import { TopBar } from './TopBar';

const Extras = lazy(() => import('../Extras'));

export function OfficeFrame() {
  const { t } = useTranslation();
  const office = useOffice();
  const { person } = useMe();
  const [opened, menu] = useDisclosure(false);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when the page changes
  useEffect(() => menu.close(), [pathname]);

  const { clock, name } = office;
  const now = useCallback(() => officeNow(clock, Date.now()), [clock]);
  const place = useMemo(
    () => ({
      office: name,
      zone: clock.zone,
      simulated: clock.mode === 'simulated',
      person: person.id,
      personName: person.name,
      now,
    }),
    [name, clock.zone, clock.mode, person.id, person.name, now],
  );

  return (
    <PlaceContext value={place}>
      <a className="skip-link" href="#page">
        {t('shell.skip')}
      </a>
      <AppShell
        header={{ height: 54 }}
        navbar={{ width: { sm: 212, lg: 252 }, breakpoint: 'sm', collapsed: { mobile: !opened } }}
        footer={{ height: { base: 58, sm: 0 } }}
        classNames={{
          navbar: classes.navbar ?? '',
          header: classes.header ?? '',
          footer: classes.footer ?? '',
        }}
        layout="alt"
      >
        <AppShell.Header>
          <TopBar menuOpened={opened} onMenu={menu.toggle} />
        </AppShell.Header>
        <AppShell.Navbar aria-label={t('shell.navigation')}>
          <Sidebar onClose={menu.close} />
        </AppShell.Navbar>
        <AppShell.Main id="page" tabIndex={-1}>
          <ConnectionBanner />
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </AppShell.Main>
        <AppShell.Footer hiddenFrom="sm">
          <PhoneBar onMenu={menu.toggle} />
        </AppShell.Footer>
      </AppShell>
      <Suspense>
        <Extras />
      </Suspense>
    </PlaceContext>
  );
}
