/** Which field of a form a refusal is about. */
import type { Problem } from '../../api/problem';

export interface Faults {
  /** By field. */
  fields: Record<string, string>;
  /** What belongs to no field. */
  form: string;
}

/** Messages about office.yaml begin with the file and the line. */
const withoutPlace = (text: string) => text.replace(/^\S+\.ya?ml:\d+:\d+: /, '');

const SIGNS: readonly [field: string, sign: RegExp][] = [
  ['reports_to', /report|manager/i],
  ['model', /provider|model|_API_KEY/i],
  ['thinking', /thinking/i],
  ['priority', /priorit/i],
  ['prompt_inline', /prompt/i],
  ['description', /description/i],
];

/** `changed` are the fields that were sent; only one of them can be at fault. */
export function faultsOf(problem: Problem, changed: readonly string[]): Faults {
  const fields: Record<string, string> = {};
  for (const { field, message } of problem.errors) {
    const name = /^\$\.(\w+)/.exec(field ?? '')?.[1];
    if (name !== undefined && changed.includes(name)) fields[name] = message;
  }
  if (Object.keys(fields).length > 0) return { fields, form: '' };
  const text = [withoutPlace(problem.message), problem.hint].filter(Boolean).join(' ');
  const isInput = problem.status === 422 || problem.status === 400;
  const only = changed.length === 1 ? changed[0] : undefined;
  const field = isInput
    ? (only ?? SIGNS.find(([name, sign]) => changed.includes(name) && sign.test(text))?.[0])
    : undefined;
  return field === undefined ? { fields, form: text } : { fields: { [field]: text }, form: '' };
}
