/** The files of all workspaces. */
import { createFileRoute } from '@tanstack/react-router';
import { FilesPage } from '../../pages/files/FilesPage';
import { filesSearch } from '../../pages/files/search';
import { onlyKnown } from '../onlyKnown';

export const Route = createFileRoute('/o/$office/files')({
  validateSearch: onlyKnown(filesSearch),
  component: FilesPage,
});
