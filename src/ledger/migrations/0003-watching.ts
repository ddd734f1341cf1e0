import type { Migration } from '../migrate.ts';

/**
 * The journey (domain/work.ts, `trace`) that asked for work and last moved a document, and two indexes that let
 * metrics count documents: the first is as small as what is open, the second grows once per document.
 */
export const watching: Migration = {
  name: '0003-watching',
  statements: ({ text }) => [
    `alter table work add column trace ${text}`,
    `alter table documents add column trace ${text}`,
    `create index documents_open on documents (kind, state, created_at)
      where state not in ('authorized', 'cancelled')`,
    `create index documents_final on documents (state, kind) where state in ('authorized', 'cancelled')`,
  ],
};
