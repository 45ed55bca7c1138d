/** A message that was found; leads to its place in the thread. */
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { MessageView, ThreadView } from '../../api/types';
import { Face } from '../../parts/Face';
import { threadPath } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { TimeText } from '../../parts/TimeText';
import { To } from '../../parts/To';
import { excerpt } from './excerpt';
import classes from './Search.module.css';

interface Props {
  message: MessageView;
  /** Undefined when it was deleted since. */
  thread: ThreadView | undefined;
  words: string;
}

export function Hit({ message, thread, words }: Props) {
  const { t } = useTranslation();
  const { office, person, personName } = usePlace();
  const name = message.author === person ? personName : message.author;
  const body = (
    <>
      <Face name={name} kind={message.author_kind} size={30} />
      <span className={classes.body}>
        <span className={classes.by}>
          <strong>{name}</strong>
          <Text component="span" size="xs" c="dimmed">
            {thread?.kind === 'channel' ? `#${thread.name}` : (thread?.name ?? t('search.gone'))}
            {' · '}
            <TimeText at={message.at} />
          </Text>
        </span>
        <span className={classes.text}>
          {excerpt(message.text, words).map((piece, index) =>
            piece.isHit ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text
              <mark key={index}>{piece.text}</mark>
            ) : (
              piece.text
            ),
          )}
        </span>
      </span>
    </>
  );
  return (
    <li>
      {thread ? (
        <To to={threadPath(office, thread, message.n)} className={classes.hit}>
          {body}
        </To>
      ) : (
        <div className={classes.hit}>{body}</div>
      )}
    </li>
  );
}
