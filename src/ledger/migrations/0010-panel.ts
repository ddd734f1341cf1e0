import type { Migration } from '../migrate.ts';

/** Who is signed in to the panel, and what people did: there and on the command line. */
export const panel: Migration = {
  name: '0010-panel',
  statements: ({ text, identity, table }) => [
    `create table sessions (
      token_hash ${text} not null primary key,
      person ${text} not null,
      mark ${text} not null,
      began_at ${text} not null,
      seen_at ${text} not null,
      notice ${text}
    )${table}`,
    `create table deeds (
      id ${identity},
      at ${text} not null,
      who ${text},
      what ${text} not null,
      subject ${text},
      outcome ${text} not null,
      facts ${text}
    )${table}`,
    'create index deeds_by_subject on deeds (subject, id)',
  ],
};
