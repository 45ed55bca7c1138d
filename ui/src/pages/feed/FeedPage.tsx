/** Everything that happens, live, newest first; filters and the moment live in the address. */
import '@mantine/core/styles.layer.css';
import { Button, Group, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Activity } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { VirtualFeed } from '../../parts/feed/VirtualFeed';
import { Page } from '../../parts/Page';
import { Empty } from '../../parts/states/Empty';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import classes from './Feed.module.css';
import { FeedFilters } from './FeedFilters';
import { useFeed } from './useFeed';

const route = getRouteApi('/o/$office/feed');
/** Fewer rows than this and the next page of the ledger is fetched at once. */
const ROWS_WANTED = 20;

export function FeedPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { rows, isPending, error, refetch, loadOlder, isEnd } = useFeed(search);
  // A narrow filter may leave little of a page.
  useEffect(() => {
    if (!isPending && !isEnd && rows.length < ROWS_WANTED) loadOlder();
  });
  return (
    <Page width="full">
      <FeedFilters
        search={search}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
      {search.at !== undefined && (
        <Group className={classes.moment} gap="sm">
          <Text size="sm">{t('feed.moment', { seq: search.at })}</Text>
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              const { at: _at, ...rest } = search;
              void navigate({ search: rest });
            }}
          >
            {t('feed.to_now')}
          </Button>
        </Group>
      )}
      {isPending && <Loading rows={10} />}
      {error && <Failure problem={asProblem(error)} retry={refetch} />}
      {!isPending && !error && rows.length === 0 && (
        <Empty
          icon={<Activity size={24} />}
          title={t('feed.empty')}
          text={t(
            Object.values(search).some((one) => one !== undefined)
              ? 'feed.empty_filter'
              : 'feed.empty_text',
          )}
        />
      )}
      {rows.length > 0 && <VirtualFeed rows={rows} marked={search.at} onEnd={loadOlder} />}
    </Page>
  );
}
