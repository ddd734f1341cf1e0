import type { Migration } from '../migrate.ts';

/**
 * The open circuit breakers of shops (domain/circuit-breaker.ts), and lanes of their own for the jobs that call a shop, so
 * that the others of the store go on. A shadow calls the shop of the store behind it.
 */
export const breakers: Migration = {
  name: '0019-breakers',
  statements: ({ text, table }) => [
    `create table breakers (
      store_id ${text} not null primary key,
      since ${text} not null,
      retry_at ${text} not null,
      probes integer not null,
      reason ${text} not null
    )${table}`,
    `update work set lane = 'shop:' || case when store_id like '%.sombra'
        then substr(store_id, 1, length(store_id) - length('.sombra')) || '/' || kind || '/sombra'
        else store_id || '/' || kind end
      where budget is null and kind in ('sync-order', 'write-back')`,
  ],
};
