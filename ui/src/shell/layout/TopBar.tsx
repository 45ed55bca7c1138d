/** What holds for the whole office: search, the clock, pause, money. */
import { Burger, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useOffice } from '../../stream/hooks';
import { BudgetMeter } from './BudgetMeter';
import { OfficeClock } from './OfficeClock';
import { PauseControl } from './PauseControl';
import { RehearsalBadge } from './RehearsalBadge';
import { SearchButton } from './SearchButton';

interface Props {
  menuOpened: boolean;
  onMenu: () => void;
}

export function TopBar({ menuOpened, onMenu }: Props) {
  const { t } = useTranslation();
  const office = useOffice();
  return (
    <Group h="100%" px="md" gap="sm" wrap="nowrap" justify="space-between">
      <Group gap="sm" wrap="nowrap" style={{ flex: 1, minWidth: 0 }}>
        <Burger
          opened={menuOpened}
          onClick={onMenu}
          hiddenFrom="sm"
          size="sm"
          aria-label={t('shell.menu')}
        />
        <SearchButton />
        {office.rehearsal && <RehearsalBadge />}
      </Group>
      <Group gap="md" wrap="nowrap">
        <BudgetMeter office={office} />
        <OfficeClock clock={office.clock} paused={office.state === 'paused'} />
        <PauseControl office={office} />
      </Group>
    </Group>
  );
}
