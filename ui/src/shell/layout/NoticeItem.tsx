/** The menu's switch for desktop notices; says why when there can be none. */
import { Menu, Text } from '@mantine/core';
import { Bell, BellOff, Check } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { noticeState, switchNotices } from '../notices';

export function NoticeItem() {
  const { t } = useTranslation();
  const [state, setState] = useState(noticeState);
  const isPossible = state === 'on' || state === 'off';
  return (
    <Menu.Item
      leftSection={isPossible ? <Bell size={15} /> : <BellOff size={15} />}
      rightSection={state === 'on' ? <Check size={15} /> : null}
      disabled={!isPossible}
      closeMenuOnClick={false}
      onClick={() => void switchNotices(state !== 'on').then(setState)}
    >
      {t('shell.notices')}
      {!isPossible && (
        <Text size="xs" c="dimmed">
          {t(`shell.notices_${state}`)}
        </Text>
      )}
    </Menu.Item>
  );
}
