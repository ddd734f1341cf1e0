import type { Migration } from '../migrate.ts';

/** When it was found that a person annulled an authorised document at the authority's portal. */
export const annulled: Migration = {
  name: '0025-annulled',
  statements: ({ text }) => [`alter table documents add column annulled_at ${text}`],
};
