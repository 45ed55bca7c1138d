/** One message. */
import { Text } from '@mantine/core';
import { FileText } from 'lucide-react';
import { memo } from 'react';
import type { MessageView } from '../../api/types';
import { Face } from '../../parts/Face';
import { Markdown } from '../../parts/markdown/Markdown';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { TimeText } from '../../parts/TimeText';
import { To } from '../../parts/To';
import classes from './Conversation.module.css';

interface Props {
  message: MessageView;
  /** Shows who wrote it and when. */
  headed: boolean;
  /** The one the address asks for. */
  marked: boolean;
}

/** `agent:path` of a file in an agent's workspace. */
function fileOf(file: string): { agent: string; path: string } {
  const colon = file.indexOf(':');
  return { agent: file.slice(0, colon), path: file.slice(colon + 1) };
}

export const MessageRow = memo(function MessageRow({ message, headed, marked }: Props) {
  const { office, person, personName } = usePlace();
  const { author, author_kind: kind } = message;
  const name = kind === 'person' && author === person ? personName : author;
  return (
    <article
      className={classes.message}
      data-headed={headed || undefined}
      data-marked={marked || undefined}
      data-own={(kind === 'person' && author === person) || undefined}
    >
      <div className={classes.gutter}>{headed && <Face name={name} kind={kind} size={34} />}</div>
      <div className={classes.content}>
        {headed && (
          <div className={classes.byline}>
            {kind === 'agent' ? (
              <To to={paths.dm(office, author)} className={classes.author}>
                {name}
              </To>
            ) : (
              <span className={classes.author}>{name}</span>
            )}
            <Text component="span" size="xs" c="dimmed">
              <TimeText at={message.at} style="clock" />
            </Text>
          </div>
        )}
        <Markdown
          text={message.text}
          mentions={message.mentions}
          agent={kind === 'agent' ? author : ''}
        />
        {message.files.length > 0 && (
          <div className={classes.files}>
            {message.files.map((file) => {
              const { agent, path } = fileOf(file);
              return (
                <To key={file} to={paths.files(office, agent, path)} className={classes.file}>
                  <FileText size={16} aria-hidden="true" />
                  <span className={classes.fileName}>{path.split('/').at(-1)}</span>
                  <span className={classes.fileWhere}>
                    {agent} · {path}
                  </span>
                </To>
              );
            })}
          </div>
        )}
      </div>
    </article>
  );
});
