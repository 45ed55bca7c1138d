/** Says clearly that what is shown may be old; shown only after a moment, so that a hiccup does not flash. */
import { Button, Group, Text } from '@mantine/core';
import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLink } from '../../stream/hooks';
import { nudgeFeeds } from '../../stream/link';
import classes from './ConnectionBanner.module.css';

const PATIENCE_MS = 1500;

export function ConnectionBanner() {
  const { t } = useTranslation();
  const link = useLink();
  const lost = link !== 'open';
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(lost), lost ? PATIENCE_MS : 0);
    return () => clearTimeout(timer);
  }, [lost]);
  if (!shown || !lost) return null;
  return (
    <Group className={classes.banner} gap="sm" wrap="nowrap" role="alert" data-banner>
      <CloudOff size={16} aria-hidden="true" />
      <Text size="sm" style={{ flex: 1 }}>
        {t('shell.disconnected')}
      </Text>
      <Button size="compact-xs" variant="white" color="dark" onClick={nudgeFeeds}>
        {t('shell.reconnect')}
      </Button>
    </Group>
  );
}
