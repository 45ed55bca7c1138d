/** Whether a message joins the running work or waits its turn. */
import { SegmentedControl, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SendMode } from '../../api/actions';
import type { RunView } from '../../api/types';

/** Steering is the natural choice while the agent works on this very conversation. */
export function useSendMode(run: RunView | undefined, thread: string | undefined) {
  const [chosen, setMode] = useState<SendMode | null>(null);
  const canSteer = run !== undefined && run.state === 'running';
  const natural: SendMode = canSteer && run.thread === thread ? 'steer' : 'queue';
  const mode: SendMode = canSteer ? (chosen ?? natural) : 'queue';
  return { mode, setMode, canSteer };
}

interface Props {
  mode: SendMode;
  onChange: (mode: SendMode) => void;
  agent: string;
}

export function ModeSwitch({ mode, onChange, agent }: Props) {
  const { t } = useTranslation();
  return (
    <Tooltip label={t(`conversation.mode_text.${mode}`, { agent })} multiline maw={280}>
      <SegmentedControl
        size="xs"
        value={mode}
        onChange={(value) => onChange(value as SendMode)}
        data={[
          { value: 'steer', label: t('conversation.mode.steer') },
          { value: 'queue', label: t('conversation.mode.queue') },
        ]}
        aria-label={t('conversation.mode_label')}
      />
    </Tooltip>
  );
}
