import type { Migration } from '../migrate.ts';

/**
 * What buyers were asked and what they answered, how often a document's links were revoked, and the files of
 * authorised documents. The files' bytes come last, so that their sizes are read without them.
 */
export const questions: Migration = {
  name: '0008-questions',
  statements: ({ text, bytes, table }) => [
    `create table questions (
      platform ${text} not null,
      shop ${text} not null,
      order_id ${text} not null,
      asked_at ${text} not null,
      cut_off_at ${text} not null,
      expires_at ${text} not null,
      mailed_at ${text},
      passed_at ${text},
      told_at ${text},
      answered_at ${text},
      sealed ${text},
      primary key (platform, shop, order_id)
    )${table}`,
    `create table link_versions (
      document_id ${text} not null primary key,
      version integer not null,
      revoked_at ${text} not null
    )${table}`,
    `create table files (
      document_id ${text} not null,
      kind ${text} not null,
      size integer not null,
      kept_at ${text} not null,
      sealed ${bytes} not null,
      primary key (document_id, kind)
    )${table}`,
    'create index files_by_age on files (kept_at, document_id)',
  ],
};
