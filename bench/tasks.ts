import { endToEnd } from './end-to-end.ts';
import { load } from './load.ts';

/** What runs to its end in a process of its own, by name. */
export const tasks = { load, endToEnd };
export type Tasks = typeof tasks;
