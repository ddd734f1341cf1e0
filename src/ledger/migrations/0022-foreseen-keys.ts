import type { Migration } from '../migrate.ts';

/**
 * Which free digits the access keys of an account's documents bear, while they are always the same, and the key that was
 * foreseen for each attempt from them. What was sent before has none.
 */
export const foreseenKeys: Migration = {
  name: '0022-foreseen-keys',
  statements: ({ text, table }) => [
    `create table key_digits (
      account ${text} not null,
      ruc ${text} not null,
      ambiente integer not null,
      cod_doc ${text} not null,
      digits ${text} not null,
      seen integer not null,
      varied_at ${text},
      primary key (account, ruc, ambiente, cod_doc)
    )${table}`,
    `alter table attempts add column foreseen_key ${text}`,
  ],
};
