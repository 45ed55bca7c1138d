/** A message that is on its way, or was refused. */
import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Face } from '../../parts/Face';
import { Markdown } from '../../parts/markdown/Markdown';
import { usePlace } from '../../parts/place';
import classes from './Conversation.module.css';
import type { Outbox } from './useOutbox';
import type { Waiting } from './waiting';

interface Props {
  waiting: Waiting;
  outbox: Outbox;
}

export function WaitingRow({ waiting, outbox }: Props) {
  const { t } = useTranslation();
  const { personName } = usePlace();
  const refused = waiting.refused !== '';
  return (
    <article
      className={`${classes.message} ${classes.waiting}`}
      data-headed
      data-refused={refused || undefined}
    >
      <div className={classes.gutter}>
        <Face name={personName} kind="person" size={34} />
      </div>
      <div className={classes.content}>
        <div className={classes.byline}>
          <span className={classes.author}>{personName}</span>
          {!refused && (
            <Text component="span" size="xs" c="dimmed">
              {t('conversation.sending')}
            </Text>
          )}
        </div>
        <Markdown text={waiting.text} />
        {refused && (
          <Group gap="xs" mt={4} role="alert">
            <Text size="sm" className={classes.reason}>
              {t('conversation.not_sent')} {waiting.refused}
            </Text>
            <Button size="compact-xs" variant="default" onClick={() => outbox.retry(waiting.key)}>
              {t('parts.retry')}
            </Button>
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              onClick={() => outbox.discard(waiting.key)}
            >
              {t('conversation.discard')}
            </Button>
          </Group>
        )}
      </div>
    </article>
  );
}
