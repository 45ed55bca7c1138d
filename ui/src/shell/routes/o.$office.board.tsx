/** The board. */
import { createFileRoute } from '@tanstack/react-router';
import { BoardPage } from '../../pages/board/BoardPage';
import { boardSearch } from '../../pages/board/search';

export const Route = createFileRoute('/o/$office/board')({
  validateSearch: boardSearch,
  component: BoardPage,
});
