/** Opens the command palette. */
import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core';
import { Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { openPalette } from '../palette/palette';
import classes from './SearchButton.module.css';

const COMMAND = navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl';

export function SearchButton() {
  const { t } = useTranslation();
  return (
    <>
      <UnstyledButton className={classes.box} onClick={openPalette} visibleFrom="sm">
        <Search size={15} aria-hidden="true" />
        <span className={classes.text}>{t('shell.search')}</span>
        <Kbd size="xs">{COMMAND} K</Kbd>
      </UnstyledButton>
      <ActionIcon
        variant="subtle"
        color="gray"
        hiddenFrom="sm"
        onClick={openPalette}
        aria-label={t('shell.search')}
        size="lg"
      >
        <Search size={18} />
      </ActionIcon>
    </>
  );
}
