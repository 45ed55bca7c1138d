/** A folder's entries; folders inside it open in place. */
import { Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight, File, FileCode2, FileImage, FileText, Folder as Icon } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { folderQuery } from '../../api/queries';
import type { FileInfo } from '../../api/types';
import { kindOf, nameOf } from '../../parts/files/kinds';
import { usePlace } from '../../parts/place';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { bytes } from '../../parts/text/numbers';
import classes from './Files.module.css';

interface Props {
  agent: string;
  /** Of the folder; empty for the workspace itself. */
  path: string;
  selected: string | undefined;
  onOpen: (path: string) => void;
}

const ICONS = {
  image: FileImage,
  markdown: FileText,
  html: FileCode2,
  text: FileText,
  binary: File,
};

const foldersFirst = (a: FileInfo, b: FileInfo) =>
  Number(b.kind === 'folder') - Number(a.kind === 'folder') || a.path.localeCompare(b.path);

export function Folder({ agent, path, selected, onOpen }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const { data, isPending, error, refetch } = useQuery(folderQuery(office, agent, path));
  if (isPending) return <Loading rows={3} />;
  if (error) return <Failure compact problem={asProblem(error)} retry={() => void refetch()} />;
  if (data.items.length === 0) {
    return (
      <Text size="sm" c="dimmed" px="xs" py={4}>
        {t(path === '' ? 'files.empty_workspace' : 'files.empty_folder', { agent })}
      </Text>
    );
  }
  return (
    <ul className={classes.list}>
      {data.items.toSorted(foldersFirst).map((info) => (
        <li key={info.path}>
          {info.kind === 'folder' ? (
            <Subfolder agent={agent} info={info} selected={selected} onOpen={onOpen} />
          ) : (
            <Leaf info={info} isSelected={info.path === selected} onOpen={onOpen} />
          )}
        </li>
      ))}
      {data.truncated && (
        <Text component="li" size="xs" c="dimmed" px="xs">
          {t('files.truncated')}
        </Text>
      )}
    </ul>
  );
}

interface LeafProps {
  info: FileInfo;
  isSelected: boolean;
  onOpen: (path: string) => void;
}

function Leaf({ info, isSelected, onOpen }: LeafProps) {
  const FileIcon = ICONS[kindOf(info.path)];
  return (
    <UnstyledButton
      className={classes.item}
      aria-current={isSelected || undefined}
      onClick={() => onOpen(info.path)}
    >
      <FileIcon size={15} aria-hidden="true" />
      <span className={classes.name}>{nameOf(info.path)}</span>
      <span className={classes.size}>{info.kind === 'file' ? bytes(info.size_bytes) : ''}</span>
    </UnstyledButton>
  );
}

interface SubfolderProps {
  agent: string;
  info: FileInfo;
  selected: string | undefined;
  onOpen: (path: string) => void;
}

function Subfolder({ agent, info, selected, onOpen }: SubfolderProps) {
  const [opened, setOpened] = useState(selected?.startsWith(`${info.path}/`) ?? false);
  return (
    <>
      <UnstyledButton
        className={classes.item}
        aria-expanded={opened}
        onClick={() => setOpened(!opened)}
      >
        <ChevronRight
          size={14}
          className={classes.chevron}
          data-open={opened || undefined}
          aria-hidden="true"
        />
        <Icon size={15} aria-hidden="true" />
        <span className={classes.name}>{nameOf(info.path)}</span>
      </UnstyledButton>
      {opened && (
        <div className={classes.inside}>
          <Folder agent={agent} path={info.path} selected={selected} onOpen={onOpen} />
        </div>
      )}
    </>
  );
}
