/** One item of an inbox, with what can be done with it. */
import type { DraggableProvidedDragHandleProps } from '@hello-pangea/dnd';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, GripVertical, Pause, Play, RotateCcw, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { changeItem } from '../../api/actions';
import type { ItemView } from '../../api/types';
import { notifyProblem } from '../../parts/notify';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { TimeText } from '../../parts/TimeText';
import { To } from '../../parts/To';
import { said } from '../../parts/text/said';
import classes from './Agent.module.css';

interface Props {
  item: ItemView;
  handle?: DraggableProvidedDragHandleProps | null;
  isDragging?: boolean;
  /** Absent where it cannot go further. */
  onUp?: (() => void) | undefined;
  onDown?: (() => void) | undefined;
}

/** Characters of an item's text that show. */
const SHOWN = 280;

export function InboxItem({ item, handle, isDragging = false, onUp, onDown }: Props) {
  const { t } = useTranslation();
  const text = item.text.length > SHOWN ? `${item.text.slice(0, SHOWN)}…` : item.text;
  return (
    <div className={classes.item} data-state={item.state} data-dragging={isDragging || undefined}>
      {handle && (
        // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the handle's own props make it a button
        <span className={classes.grip} {...handle} aria-label={t('agents.inbox.grip')}>
          <GripVertical size={16} aria-hidden="true" />
        </span>
      )}
      <div className={classes.grow}>
        <div className={classes.itemText}>{text}</div>
        <Meta item={item} />
        {item.state === 'parked' && (
          <div className={classes.reason}>
            {t('agents.inbox.parked_after', { count: item.attempts })} {said(item.reason)}
          </div>
        )}
      </div>
      {item.state !== 'taken' && <Actions item={item} onUp={onUp} onDown={onDown} />}
    </div>
  );
}

function Meta({ item }: { item: ItemView }) {
  const { t } = useTranslation();
  const { office } = usePlace();
  return (
    <div className={classes.itemMeta}>
      <span>{t(`agents.item_kind.${item.kind}`, { defaultValue: item.kind })}</span>
      <span>
        {t('agents.inbox.from', { who: item.sender.replace(/^\w+:/, '') || item.source })}
      </span>
      <TimeText at={item.queued_at} style="ago" />
      {item.state === 'paused' && <span>{t('agents.inbox.held')}</span>}
      {item.expires_at && (
        <span>
          {t('agents.inbox.expires')} <TimeText at={item.expires_at} />
        </span>
      )}
      {item.run && item.state === 'taken' && (
        <To to={paths.run(office, item.run)}>{t('agents.inbox.see_run')}</To>
      )}
      {item.task && <To to={paths.board(office, item.task)}>{item.task}</To>}
      {item.event && <To to={paths.event(office, item.event)}>{t('agents.inbox.why')}</To>}
    </div>
  );
}

function Actions({ item, onUp, onDown }: Pick<Props, 'item' | 'onUp' | 'onDown'>) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const act = useMutation({
    mutationFn: (verb: 'cancel' | 'pause' | 'resume') => changeItem(office, item.id, verb),
    onError: notifyProblem,
  });
  const held = item.state === 'paused';
  return (
    <div className={classes.actions}>
      {item.state === 'parked' ? (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<RotateCcw size={13} />}
          loading={act.isPending}
          onClick={() => act.mutate('resume')}
        >
          {t('agents.inbox.retry')}
        </Button>
      ) : (
        <>
          <Do label={t('agents.inbox.up')} onClick={onUp} icon={<ArrowUp size={15} />} />
          <Do label={t('agents.inbox.down')} onClick={onDown} icon={<ArrowDown size={15} />} />
          <Do
            label={t(held ? 'agents.inbox.go' : 'agents.inbox.hold')}
            onClick={() => act.mutate(held ? 'resume' : 'pause')}
            icon={held ? <Play size={15} /> : <Pause size={15} />}
          />
        </>
      )}
      <Do
        label={t('agents.inbox.cancel')}
        onClick={() => act.mutate('cancel')}
        icon={<X size={15} />}
      />
    </div>
  );
}

function Do({
  label,
  icon,
  onClick,
}: {
  label: string;
  icon: React.ReactNode;
  onClick: (() => void) | undefined;
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        disabled={onClick === undefined}
        onClick={onClick}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
