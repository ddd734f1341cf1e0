import type { Migration } from '../migrate.ts';

/** How far the walks have come that take old buyers out of orders and documents. */
export const retention: Migration = {
  name: '0014-retention',
  statements: ({ text, table }) => [
    `create table marks (
      walk ${text} not null primary key,
      at ${text} not null,
      id ${text} not null
    )${table}`,
  ],
};
