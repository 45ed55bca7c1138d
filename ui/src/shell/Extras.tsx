/** What every page has besides itself; fetched after the page. */
import { lazy, Suspense } from 'react';
import { Shortcuts } from './Shortcuts';

const Palette = lazy(() => import('./palette/Palette'));

export function Extras() {
  return (
    <>
      <Shortcuts />
      <Suspense>
        <Palette />
      </Suspense>
    </>
  );
}
