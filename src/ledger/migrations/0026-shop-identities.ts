import type { Migration } from '../migrate.ts';

/**
 * Which shop stands behind a name of the ledger (domain/shop-identity.ts): its own identity, where it is now, the
 * addresses that lead to it, and why it is held. Shops that were known before were believed by their address, and go on.
 */
export const shopIdentities: Migration = {
  name: '0026-shop-identities',
  statements: ({ text, table }) => [
    `alter table stores add column address ${text}`,
    `alter table stores add column asked_at ${text}`,
    'update stores set asked_at = first_started_at',
    `create table shop_identities (
      platform ${text} not null,
      shop ${text} not null,
      identity ${text} not null,
      primary key (platform, shop)
    )${table}`,
    'create unique index shop_identities_own on shop_identities (platform, identity)',
    `create table shop_addresses (
      platform ${text} not null,
      address ${text} not null,
      shop ${text} not null,
      since ${text} not null,
      primary key (platform, address)
    )${table}`,
    `create table shop_holds (
      platform ${text} not null,
      shop ${text} not null,
      code ${text} not null,
      reason ${text} not null,
      found ${text} not null,
      owner ${text},
      since ${text} not null,
      primary key (platform, shop)
    )${table}`,
  ],
};
