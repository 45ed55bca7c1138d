/** The office's tasks, to choose one from. Pure. */
import type { TaskView } from '../api/types';

/** Each task by its id and title; the one that was asked for also when it is there no more. */
export function taskChoices(tasks: Readonly<Record<string, TaskView>>, asked: string | undefined) {
  const gone = asked === undefined || asked in tasks ? [] : [{ value: asked, label: asked }];
  const there = Object.values(tasks).map(({ id, title }) => ({
    value: id,
    label: `${id} ${title}`,
  }));
  return [...gone, ...there];
}
