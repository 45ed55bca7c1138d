/** Which model providers can be used, why the others cannot, and what would help. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { providersQuery } from '../../api/queries';
import { Panel } from '../../parts/Panel';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { Provider } from './Provider';
import classes from './Settings.module.css';

export function Providers() {
  const { t } = useTranslation();
  const query = useQuery(providersQuery);
  if (query.isPending) return <Loading rows={10} />;
  if (query.error) {
    return <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />;
  }
  const usable = query.data.filter((one) => one.usable);
  const others = query.data.filter((one) => !one.usable);
  return (
    <div className={classes.stack}>
      <Panel title={t('settings.provider.usable', { count: usable.length })}>
        <ul className={classes.list}>
          {usable.map((one) => (
            <Provider key={one.id} provider={one} />
          ))}
        </ul>
      </Panel>
      {others.length > 0 && (
        <Panel title={t('settings.provider.not_usable', { count: others.length })}>
          <ul className={classes.list}>
            {others.map((one) => (
              <Provider key={one.id} provider={one} />
            ))}
          </ul>
        </Panel>
      )}
    </div>
  );
}
