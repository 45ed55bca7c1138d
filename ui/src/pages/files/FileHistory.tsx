/** Every write of a file, with the run that did it. */
import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { fileHistoryQuery } from '../../api/queries';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { Empty } from '../../parts/states/Empty';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { TimeText } from '../../parts/TimeText';
import { To } from '../../parts/To';
import { bytes } from '../../parts/text/numbers';

interface Props {
  agent: string;
  path: string;
}

export function FileHistory({ agent, path }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const query = useQuery(fileHistoryQuery(office, agent, path));
  if (query.isPending) return <Loading rows={6} />;
  if (query.error) {
    return <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />;
  }
  const writes = query.data.items.flatMap(({ seq, at, entry }) =>
    entry.kind === 'file_written' ? [{ seq, at, entry }] : [],
  );
  if (writes.length === 0) {
    return (
      <Empty
        icon={<History size={24} />}
        title={t('files.no_history')}
        text={t('files.no_history_text')}
      />
    );
  }
  return (
    <Table striped={false} maw={720}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('files.when')}</Table.Th>
          <Table.Th>{t('files.what')}</Table.Th>
          <Table.Th>{t('files.size')}</Table.Th>
          <Table.Th>{t('files.by')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {writes.map(({ seq, at, entry }) => (
          <Table.Tr key={seq}>
            <Table.Td>
              <TimeText at={at} />
            </Table.Td>
            <Table.Td>{t(entry.new ? 'files.created' : 'files.changed')}</Table.Td>
            <Table.Td>{bytes(entry.bytes)}</Table.Td>
            <Table.Td>
              {entry.run === '' ? (
                <Text size="sm" c="dimmed">
                  {entry.agent}
                </Text>
              ) : (
                <To to={paths.run(office, entry.run)}>{entry.run}</To>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
