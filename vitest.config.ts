import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest first, so that none of them runs alone at the end while the other workers have nothing to do. */
const longest = [
  'test/chaos/',
  'test/crash/',
  'test/journeys/',
  'test/pages/',
  'test/planning/refunds/properties/',
  'test/dispatch/',
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

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Journeys start real processes and servers; a state that has not come in 30 s never comes.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // The machine class we test on has two cores; more workers only make the journeys wait for each other.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  },
});
