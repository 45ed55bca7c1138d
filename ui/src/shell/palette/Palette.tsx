/** Jump anywhere, do anything: pages, agents, channels, tasks, commands. */
import '@mantine/core/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { onPaletteOpen } from './palette';
import { usePaletteActions } from './usePaletteActions';

/** More hits than this help nobody. */
const PER_GROUP = 8;

export default function Palette() {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const groups = usePaletteActions(query);
  // It was fetched because somebody wants it.
  useEffect(() => {
    onPaletteOpen(spotlight.open);
    spotlight.open();
  }, []);
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      scrollable
      maxHeight={440}
      clearQueryOnClose
      attributes={{ content: { 'aria-label': t('shell.search') } }}
    >
      <Spotlight.Search
        placeholder={t('shell.palette_placeholder')}
        aria-label={t('shell.search')}
        leftSection={<Search size={18} />}
      />
      <Spotlight.ActionsList>
        {groups.map((group) => (
          <Spotlight.ActionsGroup key={group.title} label={group.title}>
            {group.actions.slice(0, PER_GROUP).map((action) => (
              <Spotlight.Action
                key={action.id}
                label={action.label}
                description={action.note}
                leftSection={action.icon}
                onClick={action.run}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && <Spotlight.Empty>{t('shell.palette_nothing')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
