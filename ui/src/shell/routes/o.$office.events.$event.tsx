/** One event. */
import { createFileRoute } from '@tanstack/react-router';
import { EventPage } from '../../pages/events/EventPage';

export const Route = createFileRoute('/o/$office/events/$event')({ component: EventPage });
