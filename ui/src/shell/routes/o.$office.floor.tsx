/** The floor. */
import { createFileRoute } from '@tanstack/react-router';
import { FloorPage } from '../../pages/floor/FloorPage';
import { floorSearch } from '../../pages/floor/search';

export const Route = createFileRoute('/o/$office/floor')({
  validateSearch: floorSearch,
  component: FloorPage,
});
