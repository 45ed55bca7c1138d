/** What dialogs and notices are shown with; fetched when there is the first one to show. */
import { makeWanted } from './wanted';

const overlays = makeWanted();

export const wantOverlays = overlays.want;
export const useOverlaysWanted = overlays.useIsWanted;
