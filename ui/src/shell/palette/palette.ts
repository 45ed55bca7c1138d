/** Opening the command palette from anywhere; it is fetched when it is first wanted. */
import { makeWanted } from '../../parts/wanted';

const palette = makeWanted();
let open: (() => void) | undefined;

export function openPalette(): void {
  open?.();
  palette.want();
}

/** The palette says how it is opened, once it is there. */
export function onPaletteOpen(opener: () => void): void {
  open = opener;
}

/** Whether it has been asked for. */
export const usePaletteWanted = palette.useIsWanted;
