/** Settings, one section at a time. */
import '@mantine/core/styles.layer.css';
import { getRouteApi } from '@tanstack/react-router';
import {
  Building2,
  Cpu,
  Info,
  KeyRound,
  type LucideIcon,
  MonitorSmartphone,
  Palette,
  ShieldCheck,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Language } from '../../api/types';
import { intoView } from '../../parts/intoView';
import { Page } from '../../parts/Page';
import { PageHeader } from '../../parts/PageHeader';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { To } from '../../parts/To';
import { About } from './About';
import { Isolation } from './Isolation';
import { Look } from './Look';
import { OfficeSection } from './OfficeSection';
import { Providers } from './Providers';
import { Sessions } from './Sessions';
import classes from './Settings.module.css';
import { SECTIONS, type Section } from './search';
import { Tokens } from './Tokens';

interface Props {
  /** Switches the words of the interface. */
  onLanguage: (language: Language) => Promise<void>;
}

const route = getRouteApi('/o/$office/settings');

const ICONS: Record<Section, LucideIcon> = {
  office: Building2,
  providers: Cpu,
  isolation: ShieldCheck,
  look: Palette,
  sessions: MonitorSmartphone,
  tokens: KeyRound,
  about: Info,
};

export function SettingsPage({ onLanguage }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const search = route.useSearch();
  // An address may name what there is not.
  const section = SECTIONS.find((one) => one === search.section) ?? 'office';
  return (
    <Page>
      <PageHeader title={t('settings.title')} />
      <div className={classes.frame}>
        <nav className={classes.nav} aria-label={t('settings.sections')}>
          {SECTIONS.map((one) => {
            const Icon = ICONS[one];
            return (
              <To
                key={one}
                ref={one === section ? intoView : null}
                to={paths.settings(office, one)}
                className={classes.navItem}
                aria-current={one === section ? 'page' : undefined}
              >
                <Icon size={16} aria-hidden="true" />
                {t(`settings.section.${one}`)}
              </To>
            );
          })}
        </nav>
        <div className={classes.section}>
          {section === 'office' && <OfficeSection />}
          {section === 'providers' && <Providers />}
          {section === 'isolation' && <Isolation />}
          {section === 'look' && <Look onLanguage={onLanguage} />}
          {section === 'sessions' && <Sessions />}
          {section === 'tokens' && <Tokens />}
          {section === 'about' && <About />}
        </div>
      </div>
    </Page>
  );
}
