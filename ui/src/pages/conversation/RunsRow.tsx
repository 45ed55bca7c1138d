/** Much work between two messages, in one line until asked for. */
import { Text, UnstyledButton } from '@mantine/core';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunView } from '../../api/types';
import { Face } from '../../parts/Face';
import classes from './Conversation.module.css';
import { RunRow } from './RunRow';

interface Props {
  runs: readonly RunView[];
  posted: ReadonlySet<string>;
}

export function RunsRow({ runs, posted }: Props) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const agents = [...new Set(runs.map((run) => run.agent))];
  return (
    <>
      <div className={classes.work}>
        <UnstyledButton
          className={classes.workToggle}
          onClick={() => setOpened(!opened)}
          aria-expanded={opened}
        >
          <ChevronRight
            size={14}
            className={classes.chevron}
            data-open={opened || undefined}
            aria-hidden="true"
          />
          {t('conversation.work_between', { count: runs.length })}
          {agents.map((agent) => (
            <Face key={agent} name={agent} size={20} />
          ))}
          <Text span inherit visibleFrom="sm">
            {t('conversation.work_by', { agents: agents.join(', ') })}
          </Text>
        </UnstyledButton>
      </div>
      {opened &&
        runs.map((run) => <RunRow key={run.id} run={run} posted={posted} stoppable={false} />)}
    </>
  );
}
