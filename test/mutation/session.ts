import { relative, resolve } from 'node:path';
import { defaultServerConditions } from 'vite';
import { createVitest, type TestModule, type TestSpecification, type Vitest } from 'vitest/node';
import type { Instrumented } from './instrument.ts';
import type { Active, Reached } from './switches.ts';

/** One test, or the loading of a file of tests (`id` null). */
export interface Trial {
  test: string;
  id: string | null;
  name: string;
  ms: number;
  passed: boolean;
  reached: Reached;
}

export interface Killer {
  test: string;
  name: string;
}

const conditions = ['facturapuente-source', ...defaultServerConditions];

/** Whose mutants are there; null: those of all. */
let switched: string | null = null;

/** A Vitest that reads the sources with their mutants; nothing on the disk changes. */
export async function openSession(
  sources: ReadonlyMap<string, Instrumented>,
  isolate: boolean,
): Promise<Vitest> {
  return createVitest(
    {
      config: false,
      watch: false,
      // It knows a module by its source, not by the mutants in it.
      fsModuleCache: false,
      include: ['test/**/*.test.ts'],
      setupFiles: ['test/support/chance.ts', 'test/mutation/switches.ts'],
      reporters: [{}],
      silent: true,
      isolate,
      bail: isolate ? 0 : 1,
      maxWorkers: 1,
      fileParallelism: false,
      testTimeout: 90_000,
      hookTimeout: 90_000,
      sequence: { sequencer: AsGiven },
    },
    {
      ssr: { resolve: { conditions, externalConditions: conditions } },
      plugins: [
        {
          name: 'mutants',
          enforce: 'pre',
          transform(_code: string, id: string) {
            const file = relative(process.cwd(), id);
            const own = sources.get(file);
            if (!own) return null;
            return switched === null || switched === file ? own.code : own.counted;
          },
        },
      ],
    },
  );
}

class AsGiven {
  sort = async <T>(files: T[]): Promise<T[]> => files;
  shard = async <T>(files: T[]): Promise<T[]> => files;
}

/** What each test reaches, how long it takes and whether it passes. */
export async function survey(vitest: Vitest, tests: readonly string[]): Promise<Trial[]> {
  switched = null;
  vitest.provide('mutant', null);
  const { testModules } = await vitest.runTestSpecifications(
    tests.map((test) => specification(vitest, test)),
  );
  return testModules.flatMap(trialsOf);
}

function trialsOf(module: TestModule): Trial[] {
  const test = module.relativeModuleId;
  const nothing: Reached = { mutants: {}, calls: 0 };
  const whole = { test, id: null, name: '', ms: 0, passed: module.errors().length === 0 };
  const own = [...module.children.allTests()].map(
    (one): Trial => ({
      test,
      id: one.id,
      name: one.fullName,
      ms: one.diagnostic()?.duration ?? 0,
      passed: one.result().state === 'passed',
      reached: one.meta().reached ?? nothing,
    }),
  );
  return [{ ...whole, reached: module.meta().reached ?? nothing }, ...own];
}

/** The first test that fails with the mutant; null when all pass. */
export async function killer(
  vitest: Vitest,
  active: Active,
  trials: readonly Trial[],
): Promise<Killer | null> {
  if (trials.length === 0) return null;
  if (switched !== active.file) {
    for (const file of [switched, active.file]) if (file !== null) vitest.invalidateFile(resolve(file));
    switched = active.file;
  }
  vitest.provide('mutant', active);
  const ids = Map.groupBy(trials, ({ test }) => test);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    [...ids].map(([test, own]) =>
      specification(vitest, test, { testIds: own.flatMap(({ id }) => id ?? []) }),
    ),
  );
  for (const module of testModules) {
    const [failed] = module.children.allTests('failed');
    if (failed || module.state() === 'failed')
      return { test: module.relativeModuleId, name: failed?.fullName ?? '' };
  }
  return unhandledErrors.length > 0
    ? { test: trials[0]?.test ?? '', name: 'an error outside of any test' }
    : null;
}

function specification(
  vitest: Vitest,
  test: string,
  options: { testIds?: string[] } = {},
): TestSpecification {
  const [project] = vitest.projects;
  if (!project) throw new Error('Vitest has no project.');
  return project.createSpecification(resolve(test), options);
}
