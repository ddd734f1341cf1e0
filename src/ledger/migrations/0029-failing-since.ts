import type { Migration } from '../migrate.ts';

/**
 * Since when a job keeps failing, and an index of those that do; and one row to be written now and then, which tells
 * whether the ledger can be written at all.
 */
export const failingSince: Migration = {
  name: '0029-failing-since',
  statements: ({ text, table }) => [
    `alter table work add column failing_since ${text}`,
    'create index work_failing on work (failing_since) where failing_since is not null',
    `create table write_checks (name ${text} not null primary key, at ${text} not null)${table}`,
  ],
};
