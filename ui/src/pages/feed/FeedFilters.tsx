/** The feed's filters. */
import { Chip, Group, Pill, Select, Switch, TextInput, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { KIND_GROUPS, type KindGroup } from '../../parts/feed/describe';
import { useAgents } from '../../stream/hooks';
import classes from './Feed.module.css';
import { JumpTo } from './JumpTo';
import type { FeedSearch } from './search';

interface Props {
  search: FeedSearch;
  onChange: (search: FeedSearch) => void;
}

const TYPING_MS = 350;

/** The search with a filter set, or without it. */
function withFilter<K extends keyof FeedSearch>(
  search: FeedSearch,
  key: K,
  value: FeedSearch[K] | undefined,
): FeedSearch {
  const { [key]: _old, ...rest } = search;
  return value === undefined ? (rest as FeedSearch) : ({ ...rest, [key]: value } as FeedSearch);
}

export function FeedFilters({ search, onChange }: Props) {
  const { t } = useTranslation();
  const agents = Object.keys(useAgents());
  const [text, setText] = useState(search.text ?? '');
  const ask = useDebouncedCallback(
    (next: string) => onChange(withFilter(search, 'text', next.trim() || undefined)),
    TYPING_MS,
  );
  const toggle = (groups: string[]) =>
    onChange(withFilter(search, 'kinds', groups.length > 0 ? (groups as KindGroup[]) : undefined));
  return (
    <div className={classes.filters}>
      <Group justify="space-between" gap="sm">
        <Title order={1}>{t('feed.title')}</Title>
        <Group gap="xs">
          <Select
            size="xs"
            w={140}
            clearable
            searchable
            placeholder={t('feed.all_agents')}
            aria-label={t('feed.agent')}
            data={agents}
            value={search.agent ?? null}
            onChange={(agent) => onChange(withFilter(search, 'agent', agent ?? undefined))}
          />
          <TextInput
            size="xs"
            w={160}
            leftSection={<Search size={14} />}
            placeholder={t('feed.words')}
            aria-label={t('feed.words')}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              ask(event.currentTarget.value);
            }}
          />
          <JumpTo onJump={(at) => onChange({ ...search, at })} />
        </Group>
      </Group>
      <div className={classes.chips}>
        <Chip.Group multiple value={search.kinds ?? []} onChange={toggle}>
          {Object.keys(KIND_GROUPS).map((group) => (
            <Chip key={group} value={group} size="xs" variant="outline">
              {t(`feed.kinds.${group}`)}
            </Chip>
          ))}
        </Chip.Group>
        {(['run', 'task'] as const).map(
          (key) =>
            search[key] !== undefined && (
              <Pill
                key={key}
                size="md"
                withRemoveButton
                removeButtonProps={{ 'aria-label': t('feed.remove_filter'), 'aria-hidden': false }}
                onRemove={() => onChange(withFilter(search, key, undefined))}
              >
                {t(`feed.only_${key}`, { id: search[key] })}
              </Pill>
            ),
        )}
        <span style={{ flex: 1 }} />
        <Switch
          mr="sm"
          size="xs"
          label={t('feed.grouped')}
          checked={search.flat !== true}
          onChange={(event) =>
            onChange(withFilter(search, 'flat', event.currentTarget.checked ? undefined : true))
          }
        />
        <Switch
          size="xs"
          label={t('feed.everything')}
          checked={search.all === true}
          onChange={(event) =>
            onChange(withFilter(search, 'all', event.currentTarget.checked ? true : undefined))
          }
        />
      </div>
    </div>
  );
}
