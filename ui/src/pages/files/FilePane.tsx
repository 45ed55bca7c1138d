/** One file: what it is, its preview, its source, its history. */
import { ActionIcon, Button, SegmentedControl, Text, Title } from '@mantine/core';
import { ArrowLeft, Download, ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { fileAddress } from '../../api/queries';
import { FilePreview } from '../../parts/files/FilePreview';
import { nameOf } from '../../parts/files/kinds';
import { usePlace } from '../../parts/place';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { TimeText } from '../../parts/TimeText';
import { bytes } from '../../parts/text/numbers';
import { FileHistory } from './FileHistory';
import classes from './Files.module.css';
import type { FilesSearch } from './search';
import { usePreview } from './usePreview';

interface Props {
  agent: string;
  path: string;
  view: FilesSearch['view'];
  onView: (view: FilesSearch['view']) => void;
  onBack: () => void;
}

export function FilePane({ agent, path, view, onView, onBack }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const { info, kind, preview } = usePreview(agent, path, view === 'source');
  const hasSource = kind === 'html' || kind === 'markdown';
  const views = [
    { value: 'preview', label: t('files.preview') },
    ...(hasSource ? [{ value: 'source', label: t('files.source') }] : []),
    { value: 'history', label: t('files.history') },
  ];
  return (
    <>
      <div className={classes.head}>
        <ActionIcon
          variant="subtle"
          color="gray"
          hiddenFrom="sm"
          onClick={onBack}
          aria-label={t('files.back')}
        >
          <ArrowLeft size={18} />
        </ActionIcon>
        <div className={classes.title}>
          <Title order={2} size="h3" className={classes.path}>
            {nameOf(path)}
          </Title>
          <Text size="xs" c="dimmed" className={classes.path}>
            {agent} · {path}
            {info && (
              <>
                {' · '}
                {bytes(info.size_bytes)} · <TimeText at={info.modified_at * 1000} style="ago" />
              </>
            )}
          </Text>
        </div>
        <SegmentedControl
          size="xs"
          data={views}
          value={view ?? 'preview'}
          onChange={(next) => onView(next === 'source' || next === 'history' ? next : undefined)}
          aria-label={t('files.view')}
        />
        <Button
          component="a"
          href={fileAddress(office, agent, path, { download: true })}
          download={nameOf(path)}
          size="xs"
          variant="default"
          leftSection={<Download size={14} />}
        >
          {t('files.download')}
        </Button>
      </div>
      {view === 'history' ? (
        <FileHistory agent={agent} path={path} />
      ) : (
        <>
          {kind === 'html' && view === undefined && (
            <p className={classes.note}>
              <ShieldCheck size={15} aria-hidden="true" />
              {t('files.sandboxed')}
            </p>
          )}
          {preview.isPending && <Loading rows={10} />}
          {preview.error && (
            <Failure problem={asProblem(preview.error)} retry={() => void preview.refetch()} />
          )}
          {preview.data && <FilePreview agent={agent} path={path} preview={preview.data} />}
        </>
      )}
    </>
  );
}
