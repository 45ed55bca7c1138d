/** What every page has besides itself; fetched after the page. */
import { lazy, Suspense, useEffect } from 'react';
import { useOverlaysWanted } from '../parts/overlays';
import { Attention } from './Attention';
import { usePaletteWanted } from './palette/palette';
import { Shortcuts } from './Shortcuts';
import { isTourDue, startTour, useTour } from './tour/tour';

const Overlays = lazy(() => import('./Overlays'));
const Palette = lazy(() => import('./palette/Palette'));
const Tour = lazy(() => import('./tour/Tour'));

export default function Extras() {
  const areOverlaysWanted = useOverlaysWanted();
  const isTouring = useTour();
  const isPaletteWanted = usePaletteWanted();
  useEffect(() => {
    if (isTourDue()) startTour();
  }, []);
  return (
    <>
      <Shortcuts />
      <Attention />
      {areOverlaysWanted && (
        <Suspense>
          <Overlays />
        </Suspense>
      )}
      {isPaletteWanted && (
        <Suspense>
          <Palette />
        </Suspense>
      )}
      {isTouring && (
        <Suspense>
          <Tour />
        </Suspense>
      )}
    </>
  );
}
