/** The pages one needs most, under the thumb. */
import { UnstyledButton } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { Menu } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePlace } from '../../parts/place';
import { To } from '../../parts/To';
import { NAV } from '../nav';
import classes from './PhoneBar.module.css';

const ON_PHONE = ['home', 'feed', 'board', 'files'];

interface Props {
  onMenu: () => void;
}

export function PhoneBar({ onMenu }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const { pathname } = useLocation();
  return (
    <nav className={classes.bar} aria-label={t('shell.phone_navigation')}>
      {NAV.filter((entry) => ON_PHONE.includes(entry.key)).map((entry) => (
        <To
          key={entry.key}
          to={entry.path(office)}
          className={classes.item}
          aria-current={pathname === entry.path(office) ? 'page' : undefined}
        >
          <entry.icon size={20} />
          {t(`shell.nav.${entry.key}`)}
        </To>
      ))}
      <UnstyledButton className={classes.item} onClick={onMenu}>
        <Menu size={20} />
        {t('shell.more')}
      </UnstyledButton>
    </nav>
  );
}
