import type { Migration } from '../migrate.ts';

/**
 * What somebody else made is bound before it is believed: files by what they are, the documents that the service holds
 * and this ledger did not make, and the name of the installation. A document whose number proved another's of ours keeps
 * that number, `displaced` by its own id, beside the one it belongs to.
 */
export const boundAnswers: Migration = {
  name: '0028-bound-answers',
  statements: ({ text, table }) => [
    `alter table files add column digest ${text}`,
    'create index files_digest on files (digest, document_id) where digest is not null',
    `alter table documents add column displaced ${text} not null default ''`,
    'drop index documents_number',
    `create unique index documents_number
      on documents (ruc, ambiente, cod_doc, establecimiento, punto_emision, secuencial, displaced)`,
    `create table unknown_documents (
      access_key ${text} primary key,
      platform ${text} not null,
      shop ${text} not null,
      kind ${text} not null,
      source_id ${text} not null,
      order_id ${text},
      account ${text} not null,
      key_hash ${text} not null,
      seen_at ${text} not null,
      bound_at ${text}
    )${table}`,
    'create index unknown_documents_order on unknown_documents (order_id, shop, platform)',
    `create table installation (
      name ${text} primary key,
      id ${text} not null,
      began_at ${text} not null
    )${table}`,
  ],
};
