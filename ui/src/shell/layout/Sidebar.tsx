/** Where one can go: pages, channels, conversations. */
import { AppShell, CloseButton, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { OfficeSwitcher } from './OfficeSwitcher';
import { PageList } from './PageList';
import { ThreadList } from './ThreadList';
import { UserMenu } from './UserMenu';

interface Props {
  onClose: () => void;
}

export function Sidebar({ onClose }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <AppShell.Section p="xs">
        <Group wrap="nowrap" gap={4}>
          <OfficeSwitcher />
          <CloseButton hiddenFrom="sm" onClick={onClose} aria-label={t('shell.close_menu')} />
        </Group>
      </AppShell.Section>
      <AppShell.Section grow px="xs" style={{ overflowY: 'auto' }}>
        <PageList />
        <ThreadList />
      </AppShell.Section>
      <AppShell.Section p="xs" style={{ borderTop: '1px solid var(--line)' }}>
        <UserMenu onLeave={onClose} />
      </AppShell.Section>
    </>
  );
}
