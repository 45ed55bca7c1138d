/** The floor as a table; only the rows in sight are drawn. */

import { useTranslation } from 'react-i18next';
import { TableVirtuoso } from 'react-virtuoso';
import type { AgentView } from '../../api/types';
import { AgentChip } from '../../parts/AgentChip';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { presenceOf } from '../../parts/presence';
import { TimeText } from '../../parts/TimeText';
import { To } from '../../parts/To';
import { useSnapshot } from '../../stream/hooks';
import classes from './Floor.module.css';

interface Props {
  agents: AgentView[];
}

export function FloorTable({ agents }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const runs = useSnapshot((s) => s.runs);
  const calls = useSnapshot((s) => s.calls);
  const tools = new Map(Object.values(calls).map((call) => [call.run, call.name]));
  return (
    <TableVirtuoso
      useWindowScroll
      data={agents}
      className={classes.sheet}
      fixedHeaderContent={() => (
        <tr>
          <th>{t('floor.column.agent')}</th>
          <th>{t('floor.column.group')}</th>
          <th>{t('floor.column.state')}</th>
          <th>{t('floor.column.tool')}</th>
          <th>{t('floor.column.job')}</th>
          <th>{t('floor.column.since')}</th>
        </tr>
      )}
      itemContent={(_index, agent) => {
        const run = runs[agent.run];
        return (
          <>
            <td>
              <AgentChip name={agent.name} agent={agent} to={paths.agent(office, agent.name)} />
            </td>
            <td>{agent.group || '–'}</td>
            <td data-presence={presenceOf(agent)}>{t(`parts.presence.${presenceOf(agent)}`)}</td>
            <td>{(run && tools.get(run.id)) ?? '–'}</td>
            <td>{run ? <To to={paths.run(office, run.id)}>{run.title || run.id}</To> : '–'}</td>
            <td>{run ? <TimeText at={run.started_at} style="ago" /> : '–'}</td>
          </>
        );
      }}
    />
  );
}
