/** The one cache of what was asked from the server. */
import { QueryClient } from '@tanstack/react-query';
import { asProblem } from '../api/problem';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      // A refusal does not change by asking again; and a person should soon hear what is wrong.
      retry: (count, error) => count < 1 && asProblem(error).retryable,
    },
  },
});
