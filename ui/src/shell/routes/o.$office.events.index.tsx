/** All events. */
import { createFileRoute } from '@tanstack/react-router';
import { EventsPage } from '../../pages/events/EventsPage';
import { eventsSearch } from '../../pages/events/search';
import { onlyKnown } from '../onlyKnown';

export const Route = createFileRoute('/o/$office/events/')({
  validateSearch: onlyKnown(eventsSearch),
  component: EventsPage,
});
