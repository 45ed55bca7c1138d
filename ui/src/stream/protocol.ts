/** What pages and the shared worker say to each other. */
import type { Frame, Link, OfficeState } from './state';

export type ToWorker =
  | { say: 'join'; office: string }
  | { say: 'leave'; office: string }
  | { say: 'nudge' }
  /** The person signed out: nobody may go on listening. */
  | { say: 'close' };

export type FromWorker = { office: string } & (
  | { say: 'whole'; state: OfficeState }
  | { say: 'frame'; frame: Frame }
  | { say: 'link'; link: Link }
);
