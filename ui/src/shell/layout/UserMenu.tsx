/** The person: theme, language, help, signing out. */
import { Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  Check,
  ChevronsUpDown,
  Keyboard,
  Languages,
  LogOut,
  Monitor,
  Moon,
  Sun,
  Waypoints,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { changeMe, signOut } from '../../api/actions';
import { meQuery } from '../../api/queries';
import type { Language, ThemeChoice } from '../../api/types';
import { Face } from '../../parts/Face';
import { notifyProblem } from '../../parts/notify';
import { closeFeeds } from '../../stream/link';
import { openHelp } from '../help/help';
import { switchLanguage } from '../i18n/i18n';
import { startTour } from '../tour/tour';
import { useMe } from '../useMe';
import { NoticeItem } from './NoticeItem';
import classes from './OfficeSwitcher.module.css';

const THEMES: readonly [ThemeChoice, typeof Sun][] = [
  ['light', Sun],
  ['dark', Moon],
  ['auto', Monitor],
];
const LANGUAGES: readonly [Language, string][] = [
  ['en', 'English'],
  ['zh', '中文'],
];

interface Props {
  /** What is pointed at next lies outside the sidebar. */
  onLeave: () => void;
}

export function UserMenu({ onLeave }: Props) {
  const { t, i18n } = useTranslation();
  const { person, version } = useMe();
  const client = useQueryClient();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const change = useMutation({
    mutationFn: changeMe,
    onSuccess: (me) => client.setQueryData(meQuery.queryKey, me),
    onError: notifyProblem,
  });
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      closeFeeds();
      location.assign('/sign-in');
    },
    onError: notifyProblem,
  });
  return (
    <Menu width={236} position="top-start">
      <Menu.Target>
        <UnstyledButton className={classes.button} w="100%" title={t('shell.user_menu')}>
          <Face name={person.name || person.id} kind="person" size={28} />
          <span className={classes.text}>
            <Text component="span" size="sm" fw={600} truncate display="block">
              {person.name || person.id}
            </Text>
          </span>
          <ChevronsUpDown size={15} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('shell.theme')}</Menu.Label>
        {THEMES.map(([theme, Icon]) => (
          <Menu.Item
            key={theme}
            leftSection={<Icon size={15} />}
            rightSection={colorScheme === theme ? <Check size={15} /> : null}
            closeMenuOnClick={false}
            onClick={() => {
              setColorScheme(theme);
              change.mutate({ theme });
            }}
          >
            {t(`shell.themes.${theme}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('shell.language')}</Menu.Label>
        {LANGUAGES.map(([language, name]) => (
          <Menu.Item
            key={language}
            leftSection={<Languages size={15} />}
            rightSection={i18n.language === language ? <Check size={15} /> : null}
            closeMenuOnClick={false}
            lang={language}
            onClick={() => {
              void switchLanguage(language);
              change.mutate({ language });
            }}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Keyboard size={15} />} onClick={openHelp}>
          {t('shell.shortcuts')}
        </Menu.Item>
        <NoticeItem />
        <Menu.Item
          leftSection={<Waypoints size={15} />}
          onClick={() => {
            onLeave();
            startTour();
          }}
        >
          {t('shell.tour_again')}
        </Menu.Item>
        <Menu.Item leftSection={<LogOut size={15} />} onClick={() => leave.mutate()}>
          {t('shell.sign_out')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Dayshift {version}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}
