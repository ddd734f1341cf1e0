import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Journeys start real processes and servers; a state that has not come in 30 s never comes.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // The machine class we test on has two cores; more workers only make the journeys wait for each other.
    maxWorkers: 3,
  },
});
