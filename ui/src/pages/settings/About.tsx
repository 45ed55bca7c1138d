/** What this is, and which version of it. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { meQuery } from '../../api/queries';
import { Mark } from '../../parts/Mark';
import { Panel } from '../../parts/Panel';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { useOffice } from '../../stream/hooks';
import classes from './Settings.module.css';

export function About() {
  const { t } = useTranslation();
  const query = useQuery(meQuery);
  const office = useOffice();
  if (query.isPending) return <Loading rows={3} />;
  if (query.error) return <Failure problem={asProblem(query.error)} />;
  return (
    <Panel title={t('settings.section.about')}>
      <div className={classes.about}>
        <Mark size={44} />
        <div>
          <Text fw={650}>Dayshift {query.data.version}</Text>
          <Text size="sm" c="dimmed">
            {t('settings.about.text')}
          </Text>
        </div>
      </div>
      <dl className={classes.facts}>
        <dt>{t('settings.about.office')}</dt>
        <dd className={classes.mono}>{office.name}</dd>
        <dt>{t('settings.about.zone')}</dt>
        <dd>{office.clock.zone}</dd>
        <dt>{t('settings.about.api')}</dt>
        <dd>
          <a href="/api/openapi.json" target="_blank" rel="noreferrer">
            /api/openapi.json
          </a>
        </dd>
        <dt>{t('settings.about.licence')}</dt>
        <dd>Apache-2.0</dd>
      </dl>
    </Panel>
  );
}
