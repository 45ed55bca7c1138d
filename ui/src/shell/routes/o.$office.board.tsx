/** The board. */
import { createFileRoute } from '@tanstack/react-router';
import { BoardPage } from '../../pages/board/BoardPage';
import { boardSearch } from '../../pages/board/search';
import { onlyKnown } from '../onlyKnown';

export const Route = createFileRoute('/o/$office/board')({
  validateSearch: onlyKnown(boardSearch),
  component: BoardPage,
});
