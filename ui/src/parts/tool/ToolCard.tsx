/** One tool call: what was asked, what it does right now, what came of it. */
import { UnstyledButton } from '@mantine/core';
import { ChevronRight } from 'lucide-react';
import { memo, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallView } from '../../api/types';
import { duration } from '../text/time';
import { tailOf } from './ansi';
import { gistOf } from './callText';
import { CallStateIcon, ToolIcon } from './icons';
import classes from './ToolCard.module.css';
import { ToolDetail, type WholeResult } from './ToolDetail';

interface Props {
  call: CallView;
  /** Live output so far, while it runs. */
  output?: string | undefined;
  /** How to get the whole result when `call.result` is only a part of it. */
  whole?: WholeResult | undefined;
  opened?: boolean;
}

/** Lines of live output that show while the card is closed. */
const PEEK_LINES = 3;

export const ToolCard = memo(function ToolCard({ call, output, whole, opened = false }: Props) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(opened);
  const id = useId();
  const running = call.state === 'running' || call.state === 'pending';
  const peek = running && !isOpen && output ? tailOf(output, PEEK_LINES) : '';
  return (
    <div className={classes.card} data-state={call.state}>
      <UnstyledButton
        className={classes.head}
        onClick={() => setOpen(!isOpen)}
        aria-expanded={isOpen}
        aria-controls={id}
      >
        <ChevronRight
          size={14}
          className={classes.chevron}
          data-open={isOpen || undefined}
          aria-hidden="true"
        />
        <ToolIcon name={call.name} />
        <span className={classes.name}>{call.name}</span>
        <span className={classes.gist}>{gistOf(call.arguments)}</span>
        {call.ended_at !== null && (
          <span className={classes.time}>{duration(call.duration_ms)}</span>
        )}
        <CallStateIcon state={call.state} label={t(`parts.call.${call.state}`)} />
      </UnstyledButton>
      {peek !== '' && <pre className={classes.peek}>{peek}</pre>}
      <div id={id}>{isOpen && <ToolDetail call={call} output={output} whole={whole} />}</div>
    </div>
  );
});
