/** Who is signed in, asked once before the first page. */
import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { asProblem } from '../api/problem';
import { meQuery } from '../api/queries';
import type { Me } from '../api/types';
import { acceptMe } from './me';

/** The person, or a redirect to the sign-in page that comes back to `href`. */
export async function requireMe(client: QueryClient, href: string): Promise<Me> {
  const known = client.getQueryData(meQuery.queryKey);
  if (known !== undefined) return known;
  try {
    const me = await client.fetchQuery(meQuery);
    await acceptMe(me);
    return me;
  } catch (error) {
    if (asProblem(error).status === 401) throw redirect({ to: '/sign-in', search: { back: href } });
    throw error;
  }
}
