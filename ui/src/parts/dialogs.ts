/** Opening dialogs from anywhere, also before what shows them has been fetched. */
import { modals } from '@mantine/modals';
import { wantOverlays } from './overlays';

type Settings = Parameters<typeof modals.open>[0];
type ConfirmSettings = Parameters<typeof modals.openConfirmModal>[0];

let isReady = false;
let waiting: (() => void)[] = [];

function whenReady(open: () => void): void {
  if (isReady) open();
  else {
    waiting.push(open);
    wantOverlays();
  }
}

/** Called by the shell once dialogs can be shown. */
export function dialogsAreReady(): void {
  isReady = true;
  const all = waiting;
  waiting = [];
  for (const open of all) open();
}

/** Give it a `modalId`, and close it by `closeDialog`. */
export const openDialog = (settings: Settings): void =>
  whenReady(() => {
    modals.open(settings);
  });

/** Asks before something that cannot be taken back. */
export const openConfirm = (settings: ConfirmSettings): void =>
  whenReady(() => {
    modals.openConfirmModal(settings);
  });

export const closeDialog = (id: string): void => modals.close(id);
