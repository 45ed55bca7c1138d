/** The floor. */
import { createFileRoute } from '@tanstack/react-router';
import { FloorPage } from '../../pages/floor/FloorPage';
import { floorSearch } from '../../pages/floor/search';
import { onlyKnown } from '../onlyKnown';

export const Route = createFileRoute('/o/$office/floor')({
  validateSearch: onlyKnown(floorSearch),
  component: FloorPage,
});
