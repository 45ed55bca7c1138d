/** What surrounds every page. */
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { RouteFailure } from '../RouteFailure';
import { RouteMissing } from '../RouteMissing';

export const Route = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Outlet,
  errorComponent: RouteFailure,
  notFoundComponent: RouteMissing,
});
