/** What happened to a card, oldest first. */
import { Text, Timeline } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { TaskHistory } from '../../api/types';
import { TimeText } from '../../parts/TimeText';

interface Props {
  history: readonly TaskHistory[];
}

export function History({ history }: Props) {
  const { t, i18n } = useTranslation();
  const word = (status: string) =>
    i18n.exists(`parts.task.${status}`) ? t(`parts.task.${status}`) : status;
  return (
    <Timeline bulletSize={12} lineWidth={2}>
      {history.map((step) => (
        <Timeline.Item key={`${step.at}:${step.change}:${step.to}`}>
          <Text size="sm">
            <strong>{step.actor.replace(/^\w+:/, '')}</strong> {step.change}
            {step.to !== '' && (
              <>
                {' '}
                {step.from !== '' && `${word(step.from)} → `}
                {word(step.to)}
              </>
            )}
          </Text>
          {step.note !== '' && (
            <Text size="sm" c="dimmed">
              {step.note}
            </Text>
          )}
          <Text size="xs" c="dimmed">
            <TimeText at={step.at} />
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
