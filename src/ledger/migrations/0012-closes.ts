import type { Migration } from '../migrate.ts';

/**
 * Kept closes of days, each bound to the one before; and what a day or a month of documents is found by. Figures
 * only: no buyers' data.
 */
export const closes: Migration = {
  name: '0012-closes',
  statements: ({ text, table }) => [
    `create table closes (
      hash ${text} primary key,
      n integer not null,
      day ${text} not null,
      scope ${text} not null,
      result ${text} not null,
      content ${text} not null,
      signature ${text} not null,
      public_key ${text} not null,
      closed_at ${text} not null
    )${table}`,
    'create unique index closes_n on closes (n)',
    'create index closes_day on closes (day, scope, n)',
    'create index documents_issue_date on documents (issue_date, id) where issue_date is not null',
    'create index attempts_issue_date on attempts (issue_date)',
  ],
};
