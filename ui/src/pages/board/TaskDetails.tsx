/** The inside of an opened card. */
import '@mantine/core/styles.layer.css';
import { Badge, Group, Tabs, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { TaskDetail, TaskStatus, TaskView } from '../../api/types';
import { Markdown } from '../../parts/markdown/Markdown';
import { StateBadge } from '../../parts/StateBadge';
import { TimeText } from '../../parts/TimeText';
import classes from './Board.module.css';
import { Comments } from './Comments';
import { EvidenceList } from './EvidenceList';
import { History } from './History';
import { Relations } from './Relations';
import { TaskActions } from './TaskActions';
import { TaskFields } from './TaskFields';
import { TaskRuns } from './TaskRuns';

interface Props {
  /** As it is now. */
  task: TaskView;
  /** Comments, history and runs as they were fetched. */
  detail: TaskDetail;
  onMove: (task: TaskView, to: TaskStatus) => void;
  onGone: () => void;
}

export function TaskDetails({ task, detail, onMove, onGone }: Props) {
  const { t } = useTranslation();
  const { result } = task;
  return (
    <>
      <Title order={2}>{task.title}</Title>
      <Group gap={8} mt={6}>
        <StateBadge of="task" state={task.status} />
        <Text size="xs" c="dimmed">
          {t('board.made_by', { who: task.created_by.replace(/^\w+:/, '') })}{' '}
          <TimeText at={task.created_at} />
        </Text>
        {task.attempts > 1 && (
          <Text size="xs" c="dimmed">
            {t('board.attempts', { count: task.attempts })}
          </Text>
        )}
      </Group>
      <TaskActions task={task} onMove={onMove} onGone={onGone} />
      {task.blocked_reason !== '' && (
        <Text size="sm" mt="sm" c="var(--dawn-ink)">
          {task.blocked_reason}
        </Text>
      )}
      <TaskFields task={task} />
      {task.description !== '' && (
        <section className={classes.section}>
          <Markdown text={task.description} agent={task.assignee} />
        </section>
      )}
      <EvidenceList task={task} />
      {result !== '' && (
        <section className={classes.section}>
          <Title order={3} mb={4}>
            {t('board.result')}
          </Title>
          <Markdown text={result} agent={task.assignee} />
        </section>
      )}
      <Relations task={task} dependents={detail.dependents} />
      <Tabs defaultValue="comments" mt="lg" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="comments" rightSection={<Count n={detail.comments.length} />}>
            {t('board.comments')}
          </Tabs.Tab>
          <Tabs.Tab value="history" rightSection={<Count n={detail.history.length} />}>
            {t('board.history')}
          </Tabs.Tab>
          <Tabs.Tab value="runs" rightSection={<Count n={detail.runs.length} />}>
            {t('board.runs')}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="comments" pt="md">
          <Comments task={task.id} comments={detail.comments} />
        </Tabs.Panel>
        <Tabs.Panel value="history" pt="md">
          <History history={detail.history} />
        </Tabs.Panel>
        <Tabs.Panel value="runs" pt="md">
          <TaskRuns runs={detail.runs} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Count({ n }: { n: number }) {
  return n === 0 ? null : (
    <Badge size="xs" variant="default" circle={n < 10}>
      {n}
    </Badge>
  );
}
