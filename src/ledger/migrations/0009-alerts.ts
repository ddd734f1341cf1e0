import type { Migration } from '../migrate.ts';

/** What people must know of, who was told of it, and which state of a document each listener heard of. */
export const alerts: Migration = {
  name: '0009-alerts',
  statements: ({ text, table }) => [
    `create table alerts (
      code ${text} not null,
      subject ${text} not null,
      what ${text} not null,
      cure ${text} not null,
      since ${text} not null,
      over_at ${text},
      primary key (code, subject)
    )${table}`,
    `create table tellings (
      channel ${text} not null,
      code ${text} not null,
      subject ${text} not null,
      times integer not null,
      told_at ${text} not null,
      primary key (channel, code, subject)
    )${table}`,
    `create table hearings (
      document_id ${text} not null,
      listener ${text} not null,
      state ${text} not null,
      version integer not null,
      heard_at ${text} not null,
      primary key (document_id, listener)
    )${table}`,
  ],
};
