/** All events. */
import { createFileRoute } from '@tanstack/react-router';
import { EventsPage } from '../../pages/events/EventsPage';
import { eventsSearch } from '../../pages/events/search';

export const Route = createFileRoute('/o/$office/events/')({
  validateSearch: eventsSearch,
  component: EventsPage,
});
