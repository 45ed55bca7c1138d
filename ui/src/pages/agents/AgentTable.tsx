/** The agents as a table. */
import { Button, Table, Text } from '@mantine/core';
import clsx from 'clsx';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AgentChip } from '../../parts/AgentChip';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { To } from '../../parts/To';
import { AgentDoing } from './AgentDoing';
import classes from './Agents.module.css';
import type { AgentRow } from './rows';
import { Waiting } from './Waiting';

interface Props {
  rows: readonly AgentRow[];
}

/** Rows drawn at once; more on demand. */
const STEP = 100;

export function AgentTable({ rows }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const [shown, setShown] = useState(STEP);
  return (
    <>
      <div className={classes.tableFrame}>
        <Table verticalSpacing={9} horizontalSpacing="md" className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th className={classes.who}>{t('agents.column.agent')}</Table.Th>
              <Table.Th className={classes.wide}>{t('agents.column.title')}</Table.Th>
              <Table.Th>{t('agents.column.now')}</Table.Th>
              <Table.Th>{t('agents.column.inbox')}</Table.Th>
              <Table.Th className={classes.wide}>{t('agents.column.manager')}</Table.Th>
              <Table.Th className={classes.wide}>{t('agents.column.model')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.slice(0, shown).map(({ agent, presence, run, waiting, parked }) => (
              <Table.Tr key={agent.name}>
                <Table.Td className={classes.who}>
                  <AgentChip
                    name={agent.name}
                    agent={agent}
                    size={28}
                    to={paths.agent(office, agent.name)}
                  />
                </Table.Td>
                <Table.Td className={classes.wide}>
                  <Text size="sm">{agent.title}</Text>
                  {agent.group && (
                    <Text size="xs" c="dimmed">
                      {agent.group}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td className={classes.nowCell}>
                  <AgentDoing run={run} presence={presence} />
                </Table.Td>
                <Table.Td>
                  <Waiting agent={agent} waiting={waiting} parked={parked} />
                </Table.Td>
                <Table.Td className={clsx(classes.wide, classes.manager)}>
                  {agent.reports_to ? (
                    <To to={paths.agent(office, agent.reports_to)} className={classes.quiet}>
                      {agent.reports_to}
                    </To>
                  ) : (
                    <Text size="sm" c="dimmed">
                      {t('agents.people')}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td className={classes.wide}>
                  <Text size="sm" c="dimmed" className={classes.model}>
                    {agent.model}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {rows.length > shown && (
        <Button mt="sm" size="xs" variant="default" onClick={() => setShown(shown + STEP)}>
          {t('agents.more', { count: rows.length - shown })}
        </Button>
      )}
    </>
  );
}
