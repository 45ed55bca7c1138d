/**
 * What the server says, in the person's language. The server speaks English; the sentences people
 * meet most are known here by their pattern, and what is not known is shown as it was said.
 */
import i18next from 'i18next';

/** Patterns, the more special first; the words are `said.<key>`. */
export const SENTENCES = {
  target_self: 'addressed to it',
  target_held: 'addressed to it; held until it is on duty',
  target_other: 'addressed to {{agent}}',
  bell: 'a bell of the clock',
  emergency: 'an emergency',
  own_event: 'its own event',
  away_wait: 'waiting for an answer: only emergencies reach it',
  away_wrapping: 'wrapping up: only emergencies reach it',
  away_off: 'off duty: only emergencies reach it',
  reaches: 'reaches its threshold: {{parts}}',
  below: 'below its threshold: {{parts}}',
  no_keyword: 'no keyword',
  skill: 'a skill',
  urgent: 'urgent',
  tool_named: 'by permissions.tools',
  tool_everyone: 'allowed to everyone',
  no_key: '{{name}} needs a key, and {{variable}} is not set.',
  set_key: 'Set {{variable}}, or choose another model.',
  bubblewrap: 'bubblewrap works: each agent sees its own files and processes only, and no network.',
  install_bubblewrap:
    'Install bubblewrap (Debian, Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap).',
  allow_namespaces: 'Allow unprivileged user namespaces, which bubblewrap needs.',
  denied: 'You may not do this here.',
  signed_out: 'You are not signed in.',
  link_over: 'This sign-in link does not hold: it was used, or it is too old.',
  no_token: 'This is no API token of ours.',
  nobody: 'Nobody called {{name}} works here.',
  no_office: 'There is no office {{name}}, or you may not see it.',
  no_task: 'There is no task {{task}}.',
  no_run: 'There is no run {{run}}.',
  no_event: 'There is no event {{event}}.',
  no_thread: 'There is no thread {{thread}}.',
  no_channel: 'There is no channel #{{name}}.',
  channel_taken: 'There is a channel #{{name}} already.',
  office_taken: 'There is an office {{name}} already.',
  run_over: '{{run}} has ended: it is {{state}}.',
  item_over: '{{item}} is {{state}} and no longer waits.',
  worked_on: '{{agent}} is working on {{task}}.',
  cancel_or_wait: 'Cancel its run or wait for it.',
  cancel_first: 'Cancel its run first.',
  depended_on: '{{others}} depend on {{task}}.',
  delete_first: 'Delete them first, or let them depend on something else.',
  no_result: 'Task {{task}} cannot be done without a result.',
  no_evidence: 'Task {{task}} cannot be done without evidence.',
  no_reason: 'Task {{task}} cannot be {{status}} without a reason.',
  no_move: 'Task {{task}} is {{status_now}} and cannot become {{status}}.',
  waits: '{{task}} cannot be {{status}}: it waits for {{others}}.',
  wait_circle: 'The tasks would wait for each other: {{way}}.',
  part_circle: 'A task would be a part of itself: {{way}}.',
  no_title: 'A task needs a title.',
  no_member: 'A channel needs a member.',
  no_message: 'The message is empty.',
  no_remark: 'The remark is empty.',
  long_message: 'The message has {{size}} bytes, more than the {{most}} a message may.',
  model_name: 'A model is named as provider:model.',
  turns_used: 'The run has used all of its {{turns}} turns.',
  cancelled_why: 'cancelled by {{who}}: {{why}}',
  cancelled_by: 'cancelled by {{who}}',
  held_back: 'held back by a person',
  too_late: 'nobody got to it in time',
} as const;

/** What separates the parts of a reason. */
const PART = '; ';

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Between the slots of a pattern, every second piece is a slot's name. */
const patternOf = (sentence: string) =>
  new RegExp(
    `^${sentence
      .split(/{{(\w+)}}/)
      .map((piece, n) => (n % 2 === 0 ? escaped(piece) : `(?<${piece}>.+?)`))
      .join('')}$`,
    's',
  );

let patterns: [string, RegExp][] | undefined;

/** Made when first needed: who reads English needs none. */
function known(): [string, RegExp][] {
  patterns ??= Object.entries(SENTENCES).map(([key, sentence]) => [key, patternOf(sentence)]);
  return patterns;
}

/** A sentence of the server in the person's language, or as it is. */
export function said(text: string): string {
  if (i18next.language === 'en' || text === '') return text;
  for (const [key, pattern] of known()) {
    const found = pattern.exec(text);
    if (found) return i18next.t(`said.${key}`, slotsOf(found.groups ?? {}));
  }
  return text;
}

const slotsOf = (groups: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, slot(name, value)]));

/** Some slots hold words of the server's own. */
function slot(name: string, value: string): string {
  if (name.startsWith('status')) return i18next.t(`parts.task.${value}`, { defaultValue: value });
  if (name === 'state') return i18next.t(`parts.run.${value}`, { defaultValue: value });
  return name === 'parts' ? value.split(PART).map(said).join(PART) : value;
}
