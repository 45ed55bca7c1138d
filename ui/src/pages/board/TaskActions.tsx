/** What can be done with a card now: move it, start it again, narrow the board to its chain, delete it. */
import { Button, Group, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ArrowRight, ChevronDown, Waypoints } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { deleteTask } from '../../api/actions';
import type { TaskStatus, TaskView } from '../../api/types';
import { ConfirmButton } from '../../parts/ConfirmButton';
import { notifyProblem } from '../../parts/notify';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { useGo } from '../../parts/To';
import { isRestart, MOVES } from './moves';

interface Props {
  task: TaskView;
  onMove: (task: TaskView, to: TaskStatus) => void;
  onGone: () => void;
}

export function TaskActions({ task, onMove, onGone }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const go = useGo();
  const remove = useMutation({
    mutationFn: () => deleteTask(office, task.id),
    onSuccess: onGone,
    onError: notifyProblem,
  });
  const word = (to: TaskStatus) =>
    isRestart(task.status, to) ? t('board.restart') : t(`parts.task.${to}`);
  return (
    <Group gap="xs" mt="md">
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            leftSection={<ArrowRight size={14} />}
            rightSection={<ChevronDown size={14} />}
          >
            {t('board.move')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {MOVES[task.status].map((to) => (
            <Menu.Item key={to} onClick={() => onMove(task, to)}>
              {word(to)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button
        size="xs"
        variant="default"
        leftSection={<Waypoints size={14} />}
        onClick={() => go(`${paths.board(office)}?chain=${encodeURIComponent(task.id)}`)}
      >
        {t('board.chain')}
      </Button>
      <ConfirmButton
        size="xs"
        question={t('board.delete_text')}
        onConfirm={() => remove.mutate()}
        loading={remove.isPending}
      >
        {t('board.delete')}
      </ConfirmButton>
    </Group>
  );
}
