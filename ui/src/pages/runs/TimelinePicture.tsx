/** The picture of a run's time: above the turns, below the calls, between them what was waited for. */
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { RunDetail } from '../../api/types';
import { usePlace } from '../../parts/place';
import { duration } from '../../parts/text/time';
import { useTick } from '../../parts/useTick';
import classes from './Runs.module.css';
import { type Bar, ticksOf, timelineOf } from './timeline';

interface Props {
  detail: RunDetail;
}

const ROW = 20;
const LANE_GAP = 8;
/** Part of the whole from which on a call's bar has room for its name. */
const NAMED_FROM = 0.08;

export function TimelinePicture({ detail }: Props) {
  const { t } = useTranslation();
  const { now } = usePlace();
  useTick(detail.run.ended_at === null ? 1000 : 3_600_000);
  const timeline = timelineOf(detail, now());
  const percent = (ms: number) => `${(ms / timeline.total) * 100}%`;
  const top = (bar: Bar) => (bar.kind === 'call' ? ROW + LANE_GAP + bar.row * (ROW + 3) : 0);
  const height = ROW + (timeline.rows > 0 ? LANE_GAP + timeline.rows * (ROW + 3) : 0);
  const title = (bar: Bar) => {
    const long = duration(bar.to - bar.from);
    if (bar.kind === 'wait') return t('runs.bar_wait', { long });
    if (bar.kind === 'turn') return t('runs.bar_turn', { n: bar.turn, long });
    return t('runs.bar_call', { name: bar.name, long, state: t(`parts.call.${bar.state}`) });
  };
  return (
    <section className={classes.picture} aria-label={t('runs.timeline')}>
      <div className={classes.sums}>
        <Sum kind="turn" name={t('runs.asking')} ms={timeline.asking} total={timeline.total} />
        <Sum kind="call" name={t('runs.calling')} ms={timeline.calling} total={timeline.total} />
        <Sum kind="wait" name={t('runs.waiting')} ms={timeline.waiting} total={timeline.total} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: not a set of form fields */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long run scrolls, and must do so by keyboard */}
      <div className={classes.scroll} tabIndex={0} role="group" aria-label={t('runs.timeline_how')}>
        <div className={classes.lanes} style={{ height: height + 22 }}>
          {ticksOf(timeline.total).map((ms) => (
            <span key={ms} className={classes.tick} style={{ left: percent(ms) }}>
              <span className={classes.tickText}>{duration(ms)}</span>
            </span>
          ))}
          {timeline.bars.map((bar) => {
            const place = {
              left: percent(bar.from),
              width: `max(4px, ${percent(bar.to - bar.from)})`,
              top: top(bar),
              height: ROW,
            };
            if (bar.kind === 'wait') {
              return (
                <span key={bar.key} className={classes.wait} style={place} title={title(bar)} />
              );
            }
            return (
              <a
                key={bar.key}
                href={`#turn-${bar.turn}`}
                className={classes.bar}
                data-kind={bar.kind}
                data-state={bar.state}
                style={place}
                title={title(bar)}
                aria-label={title(bar)}
              >
                {bar.kind === 'turn' || bar.to - bar.from > timeline.total * NAMED_FROM
                  ? bar.name
                  : ''}
              </a>
            );
          })}
        </div>
      </div>
    </section>
  );
}

interface SumProps {
  kind: Bar['kind'];
  name: string;
  ms: number;
  total: number;
}

function Sum({ kind, name, ms, total }: SumProps) {
  return (
    <span className={classes.sum}>
      <span className={classes.key} data-kind={kind} aria-hidden="true" />
      {name}{' '}
      <Text span size="sm" fw={650} className="tabular">
        {duration(ms)}
      </Text>{' '}
      <Text span size="xs" c="dimmed" className="tabular">
        {Math.round((ms / total) * 100)} %
      </Text>
    </span>
  );
}
