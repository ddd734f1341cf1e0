import fc from 'fast-check';
import { afterEach, beforeEach, inject } from 'vitest';

/** What a test reached: the numbers of mutants by file. `calls` of switches tell what runs on for ever. */
export interface Reached {
  mutants: Record<string, number[]>;
  calls: number;
}

/** A mutant that is switched on, and how many calls of switches a test of it may take. */
export interface Active {
  file: string;
  number: number;
  calls: number;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** null: note what is reached. */
    mutant: Active | null;
  }
  interface TaskMeta {
    reached?: Reached;
  }
}

// That a property fails is enough.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });

const active = inject('mutant');
let calls = 0;
let reached: Record<string, true[]> = {};

/** The switch of a source, which it asks for when it is loaded. */
function switchOf(file: string): (number: number) => boolean {
  if (active === null)
    return (number) => {
      calls += 1;
      reached[file] ??= [];
      reached[file][number] = true;
      return false;
    };
  const own = active.file === file ? active.number : -1;
  return (number) => {
    calls += 1;
    if (calls > active.calls) throw new Error('This mutant runs on for ever.');
    return number === own;
  };
}

/** What was reached since this was asked last. */
function taken(): Reached {
  const all = Object.entries(reached).map(([file, own]) => [file, Object.keys(own).map(Number)]);
  const some = { mutants: Object.fromEntries(all), calls };
  reached = {};
  calls = 0;
  return some;
}

/** Sources that a worker loaded for one file of tests serve the next, so the first switches stay. */
const worker = globalThis as typeof globalThis & { mutation?: { of: typeof switchOf; taken: typeof taken } };
worker.mutation ??= { of: switchOf, taken };
const switches = worker.mutation;

/** What is loaded before the first test and between tests belongs to the file. */
const loading: Reached = { mutants: {}, calls: 0 };
beforeEach(({ task }) => {
  for (const [file, numbers] of Object.entries(switches.taken().mutants))
    loading.mutants[file] = [...new Set([...(loading.mutants[file] ?? []), ...numbers])];
  task.file.meta.reached = loading;
});
afterEach(({ task }) => {
  task.meta.reached = switches.taken();
});
