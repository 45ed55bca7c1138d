/** Assignee and priority of a card, changed in place. */
import { Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { changeTask, type NewTask } from '../../api/actions';
import type { TaskView } from '../../api/types';
import { notifyProblem } from '../../parts/notify';
import { usePlace } from '../../parts/place';
import { useAgents } from '../../stream/hooks';
import classes from './Board.module.css';
import { PRIORITIES } from './priorities';

interface Props {
  task: TaskView;
}

export function TaskFields({ task }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const agents = Object.keys(useAgents());
  // While a change is under way its value shows; a refusal brings the old one back.
  const change = useMutation({
    mutationFn: (fields: Partial<NewTask>) => changeTask(office, task.id, fields),
    onError: notifyProblem,
  });
  const shown = { ...task, ...(change.isPending ? change.variables : {}) };
  return (
    <div className={`${classes.fields} ${classes.section}`}>
      <Select
        size="sm"
        label={t('board.field.assignee')}
        placeholder={t('board.nobody')}
        data={agents}
        value={shown.assignee || null}
        onChange={(assignee) => change.mutate({ assignee: assignee ?? '' })}
        searchable
        clearable
      />
      <Select
        size="sm"
        label={t('board.field.priority')}
        data={PRIORITIES.map((value) => ({
          value: String(value),
          label: t(`parts.priority.${value}`),
        }))}
        value={String(shown.priority)}
        onChange={(value) => value !== null && change.mutate({ priority: Number(value) })}
        allowDeselect={false}
      />
    </div>
  );
}
