/** The bare address leads to the office the person saw last. */
import { createFileRoute, redirect } from '@tanstack/react-router';
import { requireMe } from '../auth';
import { lastOffice } from '../lastOffice';
import { NoOffice } from '../NoOffice';

export const Route = createFileRoute('/')({
  beforeLoad: async ({ context, location }) => {
    const me = await requireMe(context.client, location.href);
    const names = me.offices.map((office) => office.name);
    const kept = lastOffice();
    const office = names.includes(kept) ? kept : names[0];
    if (office !== undefined) throw redirect({ to: '/o/$office', params: { office } });
  },
  component: NoOffice,
});
