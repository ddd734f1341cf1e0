import type { Migration } from '../migrate.ts';

/**
 * What the id of an order or refund meant when it was first read, and what the order charged when it was paid
 * (domain/order-fingerprint.ts, as JSON); how often an order was read, and since when the shop tells an older time of it.
 * Orders read before are known by what was kept of them. The index is of few rows: it finds the nota de crédito of a
 * refund's id, whichever order it was of.
 */
export const fingerprints: Migration = {
  name: '0027-fingerprints',
  statements: ({ text }) => [
    `alter table orders add column fingerprint ${text}`,
    `alter table orders add column paid ${text}`,
    'alter table orders add column readings integer not null default 0',
    `alter table orders add column older_since ${text}`,
    `alter table documents add column fingerprint ${text}`,
    `create index documents_refund on documents (source_id, shop, platform) where kind = 'nota-credito'`,
  ],
};
