/** Settings. */
import { createFileRoute } from '@tanstack/react-router';
import { SettingsPage } from '../../pages/settings/SettingsPage';
import { settingsSearch } from '../../pages/settings/search';
import { switchLanguage } from '../i18n/i18n';
import { onlyKnown } from '../onlyKnown';

export const Route = createFileRoute('/o/$office/settings')({
  validateSearch: onlyKnown(settingsSearch),
  component: Settings,
});

function Settings() {
  return <SettingsPage onLanguage={switchLanguage} />;
}
