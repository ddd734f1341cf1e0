import type { Migration } from '../migrate.ts';

/** How many names were looked up in a registry, by day of Ecuador. */
export const lookUps: Migration = {
  name: '0018-look-ups',
  statements: ({ text, table }) => [
    `create table look_ups (
      day ${text} not null,
      counted ${text} not null,
      subject ${text} not null,
      count integer not null,
      primary key (day, counted, subject)
    )${table}`,
  ],
};
