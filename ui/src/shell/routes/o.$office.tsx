/** Everything of one office stands inside its layout. */
import { createFileRoute } from '@tanstack/react-router';
import { requireMe } from '../auth';
import { keepOffice } from '../lastOffice';
import { OfficeLayout } from '../layout/OfficeLayout';
import { PageMissing } from '../PageMissing';
import { RouteFailure } from '../RouteFailure';

export const Route = createFileRoute('/o/$office')({
  beforeLoad: async ({ context, location, params }) => {
    await requireMe(context.client, location.href);
    keepOffice(params.office);
  },
  component: OfficeRoute,
  errorComponent: RouteFailure,
  notFoundComponent: PageMissing,
});

function OfficeRoute() {
  const { office } = Route.useParams();
  return <OfficeLayout key={office} office={office} />;
}
