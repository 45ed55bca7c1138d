/** The top of an agent's workspace; everything else is on the Files page. */
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FileText, Folder, FolderOpen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { folderQuery } from '../../api/queries';
import type { AgentView } from '../../api/types';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { Empty } from '../../parts/states/Empty';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { To } from '../../parts/To';
import { bytes } from '../../parts/text/numbers';
import classes from './Agent.module.css';

interface Props {
  agent: AgentView;
}

export function FilesTab({ agent }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const query = useQuery(folderQuery(office, agent.name, ''));
  if (query.isPending) return <Loading rows={5} />;
  if (query.error) {
    return <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />;
  }
  if (query.data.items.length === 0) {
    return (
      <Empty
        icon={<FolderOpen size={24} />}
        title={t('agents.no_files')}
        text={t('agents.no_files_text')}
      />
    );
  }
  return (
    <>
      <ul className={classes.list}>
        {query.data.items.map((file) => (
          <li key={file.path} className={classes.line}>
            {file.kind === 'folder' ? (
              <Folder size={16} aria-hidden="true" />
            ) : (
              <FileText size={16} aria-hidden="true" />
            )}
            <To
              to={paths.files(office, agent.name, file.kind === 'file' ? file.path : undefined)}
              className={classes.grow}
            >
              {file.path}
            </To>
            <Text size="xs" c="dimmed" className="tabular">
              {file.kind === 'file' ? bytes(file.size_bytes) : t('agents.folder')}
            </Text>
          </li>
        ))}
      </ul>
      <Button
        mt="md"
        size="xs"
        variant="default"
        leftSection={<FolderOpen size={14} />}
        component={To}
        to={paths.files(office, agent.name)}
      >
        {t('agents.open_files')}
      </Button>
    </>
  );
}
