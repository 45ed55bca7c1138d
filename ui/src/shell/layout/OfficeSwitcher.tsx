/** Which office this is, and the way to the others. */
import { Group, Menu, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Check, ChevronsUpDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../api/queries';
import { Mark } from '../../parts/Mark';
import { paths } from '../../parts/paths';
import { useGo } from '../../parts/To';
import { useOffice } from '../../stream/hooks';
import classes from './OfficeSwitcher.module.css';

export function OfficeSwitcher() {
  const { t } = useTranslation();
  const go = useGo();
  const current = useOffice();
  const { data: me } = useQuery(meQuery);
  return (
    <Menu width={260} position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={classes.button} title={t('shell.switch_office')}>
          <Mark size={30} />
          <span className={classes.text}>
            <Text component="span" fw={700} size="sm" truncate display="block">
              {current.title || current.name}
            </Text>
            <Text component="span" size="xs" c="dimmed" truncate display="block">
              Dayshift
            </Text>
          </span>
          <ChevronsUpDown size={15} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('shell.offices')}</Menu.Label>
        {(me?.offices ?? []).map((office) => (
          <Menu.Item
            key={office.name}
            onClick={() => go(paths.home(office.name))}
            rightSection={office.name === current.name ? <Check size={15} /> : null}
          >
            <Group gap={6}>
              {office.title || office.name}
              {office.state === 'paused' && (
                <Text span size="xs" c="dimmed">
                  {t('shell.paused')}
                </Text>
              )}
            </Group>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
