/** How agents' commands are kept in on this machine, and what would improve it. */
import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { isolationQuery } from '../../api/queries';
import { Panel } from '../../parts/Panel';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { said } from '../../parts/text/said';
import classes from './Settings.module.css';

export function Isolation() {
  const { t } = useTranslation();
  const query = useQuery(isolationQuery);
  if (query.isPending) return <Loading rows={5} />;
  if (query.error) {
    return <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />;
  }
  const { in_force: inForce, network, why, improve } = query.data;
  return (
    <Panel title={t('settings.section.isolation')}>
      <dl className={classes.facts}>
        <dt>{t('settings.isolation.in_force')}</dt>
        <dd>
          <Text size="sm" fw={650}>
            {t(`settings.isolation.kind.${inForce}`, { defaultValue: inForce })}
          </Text>
        </dd>
        <dt>{t('settings.isolation.network')}</dt>
        <dd>{t(network ? 'settings.isolation.network_yes' : 'settings.isolation.network_no')}</dd>
        <dt>{t('settings.isolation.why')}</dt>
        <dd>{said(why)}</dd>
      </dl>
      {improve === '' ? (
        <Text size="sm" c="dimmed" mt="md">
          {t('settings.isolation.best')}
        </Text>
      ) : (
        <Alert color="dawn" mt="md" title={t('settings.isolation.improve')}>
          {said(improve)}
        </Alert>
      )}
    </Panel>
  );
}
