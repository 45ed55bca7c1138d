/** Good morning, and how the office stands in one sentence. */
import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../parts/PageHeader';
import { usePlace } from '../../parts/place';
import { clockTime } from '../../parts/text/time';
import { useTick } from '../../parts/useTick';
import { useAgents, useOffice, useSnapshot } from '../../stream/hooks';

function partOfDay(hour: number): 'night' | 'morning' | 'day' | 'evening' {
  if (hour < 5) return 'night';
  if (hour < 12) return 'morning';
  return hour < 18 ? 'day' : 'evening';
}

export function Greeting() {
  const { t } = useTranslation();
  const { personName, zone, now } = usePlace();
  useTick(60_000);
  const agents = Object.values(useAgents());
  const tasks = useSnapshot((s) => s.tasks);
  const paused = useOffice().state === 'paused';
  const hour = Number(clockTime(now(), { language: 'en', zone }).slice(0, 2));
  const busy = agents.filter((agent) => agent.activity === 'busy').length;
  const open = Object.values(tasks).filter(
    (task) => task.status !== 'done' && task.status !== 'failed',
  ).length;
  return (
    <PageHeader
      title={t(`home.greeting.${partOfDay(hour)}`, { name: personName })}
      text={[
        paused ? t('home.paused') : t('home.working', { busy, count: agents.length }),
        t('home.open_tasks', { count: open }),
      ].join(' · ')}
    />
  );
}
