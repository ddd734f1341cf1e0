import type { Migration } from '../migrate.ts';

/** Since when a job keeps failing, and an index of those that do. */
export const failingSince: Migration = {
  name: '0029-failing-since',
  statements: ({ text }) => [
    `alter table work add column failing_since ${text}`,
    'create index work_failing on work (failing_since) where failing_since is not null',
  ],
};
