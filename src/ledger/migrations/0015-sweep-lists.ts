import type { Migration } from '../migrate.ts';

/** Which lists of a shop are behind: one that cannot be read must not pass for known. */
export const sweepLists: Migration = {
  name: '0015-sweep-lists',
  statements: ({ text }) => [`alter table sweeps add column behind ${text}`],
};
