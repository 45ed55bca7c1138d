/** One entry in a line: when, who, what; it leads to the thing itself. */
import { Text } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Recorded } from '../../api/types';
import { Face } from '../Face';
import { Mark } from '../Mark';
import { usePlace } from '../place';
import { TimeText } from '../TimeText';
import { To } from '../To';
import { gist } from '../text/gist';
import { describe } from './describe';
import classes from './Feed.module.css';

interface Props {
  recorded: Recorded;
  /** Within its run's group the agent needs no name. */
  inGroup?: boolean;
  /** The entry the address asks for. */
  marked?: boolean;
}

const DETAIL_CHARS = 400;

export const EntryLine = memo(function EntryLine({
  recorded,
  inGroup = false,
  marked = false,
}: Props) {
  const { t } = useTranslation();
  const { office, person, personName } = usePlace();
  const said = describe(office, recorded);
  const [kind = 'office', id = ''] = said.actor.split(/:(.*)/s);
  const name = kind === 'person' && id === person ? personName : id;
  const values = said.values.status
    ? { ...said.values, status: t(`parts.task.${said.values.status}`) }
    : said.values;
  // Under a run's head its title stands already.
  const { entry } = recorded;
  const text =
    inGroup && entry.kind === 'run_changed'
      ? t(`feed.run.${entry.run.state}`)
      : t(`feed.entry.${said.key}`, values);
  return (
    <div className={classes.entry} data-tone={said.tone} data-marked={marked || undefined}>
      {!inGroup && (
        <span className={classes.who}>
          {kind === 'office' || id === '' ? (
            <Mark size={24} />
          ) : (
            <Face name={name} kind={kind === 'person' ? 'person' : 'agent'} size={24} />
          )}
        </span>
      )}
      <span className={classes.dot} aria-hidden="true" />
      <div className={classes.said}>
        <span className={classes.line}>
          {!inGroup && <strong>{id === '' ? t('feed.office') : name} </strong>}
          {said.to === '' ? text : <To to={said.to}>{text}</To>}
        </span>
        {said.detail !== '' && (
          <Text size="sm" c="dimmed" lineClamp={2} className={classes.detail}>
            {gist(said.detail.slice(0, DETAIL_CHARS))}
          </Text>
        )}
      </div>
      <Text size="xs" c="dimmed" className={classes.when}>
        <TimeText at={recorded.at} style="clock" />
      </Text>
    </div>
  );
});
