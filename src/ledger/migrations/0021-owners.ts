import type { Migration } from '../migrate.ts';

/**
 * Whose an alert and an audit entry is (domain/scope.ts, `Owner`), so that somebody limited to some stores is shown
 * theirs; what is there already is the whole installation's. The indexes are of the audit log, which is rarely written.
 */
export const owners: Migration = {
  name: '0021-owners',
  statements: ({ text }) => [
    `alter table alerts add column about ${text}`,
    `alter table deeds add column about ${text}`,
    'create index deeds_about on deeds (about, id) where about is not null',
    'create index deeds_who on deeds (who, id)',
  ],
};
