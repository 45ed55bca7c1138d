/** What every page has besides itself; fetched after the page. */
import { lazy, Suspense, useEffect } from 'react';
import { Attention } from './Attention';
import { Shortcuts } from './Shortcuts';
import { isTourDue, startTour, useTour } from './tour/tour';

const Palette = lazy(() => import('./palette/Palette'));
const Tour = lazy(() => import('./tour/Tour'));

export function Extras() {
  const isTouring = useTour();
  useEffect(() => {
    if (isTourDue()) startTour();
  }, []);
  return (
    <>
      <Shortcuts />
      <Attention />
      <Suspense>
        <Palette />
      </Suspense>
      {isTouring && (
        <Suspense>
          <Tour />
        </Suspense>
      )}
    </>
  );
}
