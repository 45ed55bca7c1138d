/** Everybody's workspaces: a tree on the left, the file on the right. */
import '@mantine/core/styles.layer.css';
import { Select, Text, VisuallyHidden } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { FolderOpen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/Page';
import { Empty } from '../../parts/states/Empty';
import { useAgents } from '../../stream/hooks';
import { FilePane } from './FilePane';
import classes from './Files.module.css';
import { Folder } from './Folder';

const route = getRouteApi('/o/$office/files');

export function FilesPage() {
  const { t } = useTranslation();
  const { agent: asked, path, view } = route.useSearch();
  const navigate = route.useNavigate();
  const agents = Object.values(useAgents());
  const agent = asked ?? agents[0]?.name ?? '';
  const open = (next: string) => void navigate({ search: { agent, path: next } });
  return (
    <Page width="full">
      <VisuallyHidden component="h1">{t('files.title')}</VisuallyHidden>
      <div className={classes.frame} data-file={path !== undefined || undefined}>
        <aside className={classes.tree} aria-label={t('files.tree')}>
          <Text size="xl" fw={650} mb="sm" aria-hidden="true">
            {t('files.title')}
          </Text>
          <Select
            size="sm"
            mb="sm"
            aria-label={t('files.whose')}
            data={agents.map((one) => one.name)}
            value={agent}
            onChange={(next) => next !== null && void navigate({ search: { agent: next } })}
            searchable
            allowDeselect={false}
          />
          {agent === '' ? (
            <Text size="sm" c="dimmed">
              {t('files.nobody')}
            </Text>
          ) : (
            <Folder key={agent} agent={agent} path="" selected={path} onOpen={open} />
          )}
        </aside>
        <section className={classes.pane} aria-label={path ?? t('files.title')}>
          {path === undefined ? (
            <Empty
              icon={<FolderOpen size={24} />}
              title={t('files.choose')}
              text={t('files.choose_text', { agent })}
            />
          ) : (
            <FilePane
              key={`${agent}:${path}`}
              agent={agent}
              path={path}
              view={view}
              onView={(next) =>
                void navigate({
                  search: next === undefined ? { agent, path } : { agent, path, view: next },
                  replace: true,
                })
              }
              onBack={() => void navigate({ search: { agent } })}
            />
          )}
        </section>
      </div>
    </Page>
  );
}
