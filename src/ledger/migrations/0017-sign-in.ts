import type { Migration } from '../migrate.ts';

/** The second factor of people of the panel, how far a session has come, and failed sign-ins as counters with an end. */
export const signIn: Migration = {
  name: '0017-sign-in',
  statements: ({ text, table }) => [
    `alter table sessions add column stage ${text} not null default 'password'`,
    `alter table sessions add column sealed_secret ${text}`,
    `create table second_factors (
      person ${text} not null primary key,
      sealed ${text} not null,
      last_step integer not null,
      enrolled_at ${text} not null
    )${table}`,
    `create table recovery_codes (
      person ${text} not null,
      code_hash ${text} not null,
      primary key (person, code_hash)
    )${table}`,
    `create table failure_counts (
      bucket ${text} not null primary key,
      ends_at ${text} not null,
      failures integer not null
    )${table}`,
    'create index failure_counts_by_end on failure_counts (ends_at)',
  ],
};
