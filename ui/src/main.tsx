/** Mounts the shell. */
import './shell/theme/firstStyles';
import './shell/theme/fonts.css';
import './shell/theme/global.css';
import { createRouter } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './shell/App';
import { startI18n } from './shell/i18n/i18n';
import { queryClient } from './shell/queryClient';
import { RouteFailure } from './shell/RouteFailure';
import { routeTree } from './shell/routeTree.gen';
import { takeTokenFromAddress } from './shell/signin/token';

takeTokenFromAddress();

const router = createRouter({
  routeTree,
  context: { client: queryClient },
  defaultErrorComponent: RouteFailure,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
// The page's code comes while the server is asked who is signed in.
for (const route of router.getMatchedRoutes(location.pathname)[0]) {
  void router.loadRouteChunk(route);
}
void Promise.all([startI18n(), router.load()]).then(() =>
  createRoot(root).render(
    <StrictMode>
      <App router={router} />
    </StrictMode>,
  ),
);
