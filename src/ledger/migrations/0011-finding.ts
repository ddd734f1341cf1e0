import type { Migration } from '../migrate.ts';

/**
 * What people look for documents by (the order's name, a store, an amount, the buyer's identification), and the tallies
 * of days that are over. Everybody without an identification is one buyer: nobody is found by that. The index of open
 * documents now holds all that is counted of them.
 */
export const finding: Migration = {
  name: '0011-finding',
  statements: ({ text, table }) => [
    'create index orders_name on orders (name)',
    'create index documents_store on documents (store_id, created_at)',
    'create index documents_charged on documents (charged, created_at)',
    "create index attempts_buyer on attempts (buyer_id) where buyer_id <> '9999999999999'",
    'drop index documents_open',
    `create index documents_open on documents (kind, state, created_at, store_id, ambiente, charged, total)
      where state not in ('authorized', 'cancelled')`,
    `create table tallies (
      span ${text} primary key,
      open integer not null,
      tallies ${text} not null
    )${table}`,
  ],
};
