/** Short notices in the corner: what was done, or why it was not. */
import { notifications } from '@mantine/notifications';
import i18next from 'i18next';
import type { Problem } from '../api/problem';
import { wantOverlays } from './overlays';
import { said } from './text/said';

type Notice = Parameters<typeof notifications.show>[0];

function show(notice: Notice): void {
  wantOverlays();
  notifications.show({ ...notice, closeButtonProps: { 'aria-label': i18next.t('parts.close') } });
}

export function notifyDone(message: string): void {
  show({ message, color: 'pine', autoClose: 3500 });
}

/** What a thrown problem says to a person, in one line. */
export function problemText(error: unknown): string {
  const { code, message, hint } = error as Partial<Problem>;
  if (code === 'offline') return i18next.t('parts.offline_text');
  return [message ?? String(error), hint ?? ''].filter(Boolean).map(said).join(' ');
}

/** For `onError` of a mutation. */
export function notifyProblem(error: unknown): void {
  show({
    title: i18next.t('parts.refused'),
    message: problemText(error),
    color: 'red',
    autoClose: 9000,
  });
}
