import type { Migration } from '../migrate.ts';

/** What shops gave us, sealed, and whose turn it is to do what only one may do at a time. */
export const credentials: Migration = {
  name: '0007-credentials',
  statements: ({ text, table }) => [
    `create table credentials (
      platform ${text} not null,
      shop ${text} not null,
      sealed ${text} not null,
      version integer not null,
      updated_at ${text} not null,
      primary key (platform, shop)
    )${table}`,
    `create table turns (
      name ${text} not null primary key,
      holder ${text} not null,
      until ${text} not null
    )${table}`,
  ],
};
