/** A conversation as rows: days, messages, and the work between them. Pure. */
import type { MessageView, RunView } from '../../api/types';
import { dayKey } from '../../parts/text/time';

export type Row =
  | { kind: 'day'; key: string; at: number }
  | { kind: 'new'; key: string }
  | { kind: 'message'; key: string; message: MessageView; headed: boolean }
  | { kind: 'run'; key: string; run: RunView }
  /** Several ended runs with nothing said between them. */
  | { kind: 'runs'; key: string; runs: RunView[] };

interface Options {
  zone: string;
  /** Messages up to this number had been read when the page was opened. */
  readTo: number;
  person: string;
  /** Whether older messages are still to be fetched; runs before the first message wait for them. */
  hasMore: boolean;
}

/** Messages of one author within this time stand under one name. */
const TOGETHER_MS = 5 * 60_000;

type Event = { at: number } & (
  | { kind: 'message'; message: MessageView }
  | { kind: 'run'; run: RunView }
);

/** Work that is under way stands last, whatever was said meanwhile. */
const placeOf = (run: RunView) =>
  run.ended_at === null ? Number.POSITIVE_INFINITY : Date.parse(run.started_at);

/** Within a millisecond: what was asked, the work, what came of it. */
function turnOf(event: Event): number {
  if (event.kind === 'run') return 1;
  return event.message.author_kind === 'person' ? 0 : 2;
}

/** Up to this many runs in a row each keep a line of their own. */
const RUNS_APART = 2;

function pushRun(rows: Row[], run: RunView): void {
  const before = rows.slice(-RUNS_APART);
  const last = rows.at(-1);
  if (run.ended_at !== null && last?.kind === 'runs') {
    last.runs.push(run);
  } else if (
    run.ended_at !== null &&
    before.length === RUNS_APART &&
    before.every((row) => row.kind === 'run')
  ) {
    const runs = before.flatMap((row) => (row.kind === 'run' ? [row.run] : []));
    rows.splice(-RUNS_APART);
    rows.push({ kind: 'runs', key: `runs:${runs[0]?.id}`, runs: [...runs, run] });
  } else {
    rows.push({ kind: 'run', key: run.id, run });
  }
}

/** `messages` and `runs` in any order; a run shows before what it said. */
export function timelineRows(
  messages: readonly MessageView[],
  runs: readonly RunView[],
  { zone, readTo, person, hasMore }: Options,
): Row[] {
  const sorted = [...messages].sort((a, b) => a.n - b.n);
  const since = hasMore && sorted[0] ? Date.parse(sorted[0].at) : 0;
  const events: Event[] = [
    ...runs
      .map((run): Event => ({ at: placeOf(run), kind: 'run', run }))
      .filter((event) => event.at >= since),
    ...sorted.map((message): Event => ({ at: Date.parse(message.at), kind: 'message', message })),
  ];
  events.sort((a, b) => (a.at === b.at ? turnOf(a) - turnOf(b) : a.at - b.at));

  const rows: Row[] = [];
  let day = '';
  let last: MessageView | undefined;
  let marked = false;
  for (const event of events) {
    const at = event.kind === 'run' ? Date.parse(event.run.started_at) : event.at;
    const today = dayKey(at, zone);
    if (today !== day && event.at !== Number.POSITIVE_INFINITY) {
      rows.push({ kind: 'day', key: `day:${today}`, at });
      day = today;
      last = undefined;
    }
    if (event.kind === 'run') {
      pushRun(rows, event.run);
      last = undefined;
      continue;
    }
    const { message } = event;
    if (!marked && readTo > 0 && message.n > readTo && message.author !== person) {
      rows.push({ kind: 'new', key: 'new' });
      marked = true;
      last = undefined;
    }
    const headed =
      last === undefined ||
      last.author !== message.author ||
      last.author_kind !== message.author_kind ||
      event.at - Date.parse(last.at) > TOGETHER_MS;
    rows.push({ kind: 'message', key: message.id, message, headed });
    last = message;
  }
  return rows;
}
