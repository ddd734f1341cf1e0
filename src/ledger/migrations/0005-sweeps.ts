import type { Migration } from '../migrate.ts';

/**
 * How far each shop has been swept for changes no webhook told, and an index that walks through a shop's orders by
 * their last change.
 */
export const sweeps: Migration = {
  name: '0005-sweeps',
  statements: ({ text, table }) => [
    `create table sweeps (
      platform ${text} not null,
      shop ${text} not null,
      version integer not null,
      swept_to ${text} not null,
      behind_since ${text},
      progress ${text},
      primary key (platform, shop)
    )${table}`,
    'create index orders_changed on orders (platform, shop, source_updated_at, order_id)',
  ],
};
