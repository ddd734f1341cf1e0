import type { Migration } from '../migrate.ts';

/** The document of a series that leaves alone, while a process does not know whether the service holds more than the ledger. */
export const sentAlone: Migration = {
  name: '0030-sent-alone',
  statements: ({ text }) => [`alter table series add column sent_alone ${text}`],
};
