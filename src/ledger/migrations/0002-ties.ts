import type { Migration } from '../migrate.ts';

/** What each item of a sent document stands for, so that its notas de crédito find their lines. */
export const ties: Migration = {
  name: '0002-ties',
  statements: ({ text }) => [`alter table attempts add column ties ${text}`],
};
