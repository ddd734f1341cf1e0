import type { Migration } from '../migrate.ts';

/** The app of the config that a shop last sold through, so that its shop can still ask for erasure afterwards. */
export const storeApps: Migration = {
  name: '0020-store-apps',
  statements: ({ text }) => [`alter table stores add column app ${text}`],
};
