import type { Migration } from '../migrate.ts';

/** What came of holding the authorised XML against what was sent, and how often an attempt was reprocessed. */
export const verification: Migration = {
  name: '0006-verification',
  statements: ({ text }) => [
    `alter table documents add column verified_at ${text}`,
    `alter table documents add column verification ${text}`,
    'alter table attempts add column reprocessed integer not null default 0',
  ],
};
