/** A page that broke, or whose data could not be had. */
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { asProblem } from '../api/problem';
import { Failure } from '../parts/states/Failure';

export function RouteFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = () => {
    reset();
    void router.invalidate();
  };
  return <Failure isPage problem={asProblem(error)} retry={again} />;
}
