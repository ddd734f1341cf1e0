import { existsSync, statfsSync } from 'node:fs';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { CiReporter } from './.ci/reporter.ts';

/** The longest first, so that none of them runs alone at the end while the other workers have nothing to do. */
const longest = [
  'test/chaos/',
  'test/crash/',
  'test/protocol/model/',
  'test/oracle/',
  'test/mappers/orders-tax',
  'test/package/',
  'test/journeys/',
  'test/pages/',
  'test/planner/refunds/properties/',
  'test/queue/',
  'test/cli/',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((place) => moduleId.includes(`/${place}`));
      return at === -1 ? longest.length : at;
    };
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}

/** What a test replaces in the module registry of its worker would reach the files after it. */
const alone = 'test/**/*.alone.test.ts';

/** What takes long: processes that repeat what a quicker test shows, and pages in a browser. `npm run test:long`. */
const long = ['test/**/*.long.test.ts', 'test/**/*.browser.test.ts'];

/** The packages of this repository import each other's sources, not what was built of them. */
const conditions = ['facturapuente-source', ...defaultServerConditions];

/**
 * Ledgers of tests lie in memory where there is enough of it: no test cuts the power, and a commit waits 1 to 3 ms for a
 * disk that four workers share.
 */
const memory = memoryDisk('/dev/shm');

function memoryDisk(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize > 2 ** 31 ? path : undefined;
}

/** Where `.ci/run` wants to read what failed and what was skipped. */
const report = process.env.CI_REPORT;

export default defineConfig({
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    reporters: ['default', ...(report ? [new CiReporter(report)] : [])],
    // A state that does not come fails where it is waited for (test/support/eventually.ts); this only ends what hangs,
    // also on a machine that is slow.
    testTimeout: process.env.FACTURAPUENTE_TESTS === 'whole' ? 14_400_000 : 90_000,
    hookTimeout: 90_000,
    globalSetup: ['test/support/whole-run.ts'],
    setupFiles: ['test/support/chance.ts', 'test/support/count-processes.ts'],
    env: {
      // Whether to colour is decided when the library that does it loads; CI=true alone would say yes.
      NO_COLOR: '1',
      ...(memory && { TMPDIR: memory }),
    },
    // The machine class we test on has two cores; a worker waits half of its time for a product that runs beside it.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      // Most files take longer to load what they try than to try it; so the files of a worker share what is loaded.
      {
        extends: true,
        test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: [alone, ...long], isolate: false },
      },
      { extends: true, test: { name: 'long', include: long, isolate: false } },
      { extends: true, test: { name: 'alone', include: [alone], isolate: true } },
    ],
  },
});
