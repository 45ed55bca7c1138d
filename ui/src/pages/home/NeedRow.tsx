/** One thing that waits for a person, with the next step beside it. */
import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { acknowledgeAlert, resumeOffice } from '../../api/actions';
import { notifyProblem } from '../../parts/notify';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { StateBadge } from '../../parts/StateBadge';
import { TimeText } from '../../parts/TimeText';
import { To } from '../../parts/To';
import classes from './Home.module.css';
import type { Need } from './needs';

interface Props {
  need: Need;
}

export function NeedRow({ need }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const act = useMutation({
    mutationFn: async () => {
      if (need.kind === 'alert') await acknowledgeAlert(office, need.alert.id);
      if (need.kind === 'paused') await resumeOffice(office);
    },
    onError: notifyProblem,
  });
  if (need.kind === 'task') {
    const { task } = need;
    return (
      <li className={classes.row}>
        <div className={classes.grow}>
          <To to={paths.board(office, task.id)} className={classes.title}>
            {task.title}
          </To>
          <Text size="sm" c="dimmed" lineClamp={2}>
            {task.blocked_reason || task.result || t('home.no_reason')}
          </Text>
        </div>
        <StateBadge of="task" state={task.status} />
      </li>
    );
  }
  if (need.kind === 'question') {
    const { run } = need;
    return (
      <li className={classes.row}>
        <div className={classes.grow}>
          <To to={paths.dm(office, run.agent)} className={classes.title}>
            {t('home.question', { agent: run.agent })}
          </To>
          <Text size="sm" c="dimmed" lineClamp={2}>
            {run.title}
          </Text>
        </div>
        <StateBadge of="run" state={run.state} />
      </li>
    );
  }
  const isAlert = need.kind === 'alert';
  return (
    <li className={classes.row}>
      <div className={classes.grow}>
        <Text size="sm" fw={600}>
          {isAlert ? need.alert.text : t('home.office_paused')}
        </Text>
        <Text size="sm" c="dimmed">
          {isAlert ? need.alert.hint : need.office.paused_reason}{' '}
          {isAlert && <TimeText at={need.alert.at} style="ago" />}
          {isAlert && need.alert.run !== '' && (
            <>
              {' · '}
              <To to={paths.run(office, need.alert.run)}>{t('home.see_run')}</To>
            </>
          )}
        </Text>
      </div>
      <Button
        size="compact-sm"
        variant="default"
        loading={act.isPending}
        onClick={() => act.mutate()}
      >
        {t(isAlert ? 'home.acknowledge' : 'home.resume')}
      </Button>
    </li>
  );
}
