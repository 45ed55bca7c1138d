/** Priorities of tasks, least urgent first. */
export const PRIORITIES = [0, 1, 2, 3, 4] as const;
