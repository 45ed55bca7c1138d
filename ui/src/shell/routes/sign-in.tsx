/** Signing in. */
import { createFileRoute } from '@tanstack/react-router';
import { SignInPage } from '../signin/SignInPage';

export const Route = createFileRoute('/sign-in')({
  validateSearch: (search: Record<string, unknown>): { back?: string } =>
    typeof search.back === 'string' ? { back: search.back } : {},
  component: SignInRoute,
});

function SignInRoute() {
  return <SignInPage back={Route.useSearch().back ?? '/'} />;
}
