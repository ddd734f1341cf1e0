import type { Migration } from '../migrate.ts';

/** The ledger's first tables. Applied migrations never change (their checksum is stored); write a new one. */
export const firstTables: Migration = {
  name: '0001-first-tables',
  statements: ({ text, bytes, real, identity, table }) => [
    `create table stores (
      platform ${text} not null,
      shop ${text} not null,
      id ${text} not null,
      first_started_at ${text} not null,
      primary key (platform, shop)
    )${table}`,

    `create table deliveries (
      id ${identity},
      connection ${text} not null,
      dedupe_key ${text} not null,
      topic ${text} not null,
      platform ${text},
      shop ${text},
      order_id ${text},
      body ${bytes} not null,
      received_at ${text} not null
    )${table}`,
    'create unique index deliveries_once on deliveries (connection, dedupe_key)',
    'create index deliveries_order on deliveries (order_id, shop, platform) where order_id is not null',
    'create index deliveries_age on deliveries (received_at)',

    `create table orders (
      platform ${text} not null,
      shop ${text} not null,
      order_id ${text} not null,
      store_id ${text} not null,
      name ${text} not null,
      snapshot ${text} not null,
      source_updated_at ${text} not null,
      decision ${text},
      decided_at ${text},
      synced_at ${text} not null,
      primary key (platform, shop, order_id)
    )${table}`,

    `create table documents (
      id ${text} primary key,
      key ${text} not null unique,
      store_id ${text} not null,
      platform ${text} not null,
      shop ${text} not null,
      ambiente integer not null,
      kind ${text} not null,
      source_id ${text} not null,
      ordinal integer not null,
      order_id ${text} not null,
      order_name ${text} not null,
      account ${text} not null,
      key_hash ${text} not null,
      ruc ${text} not null,
      cod_doc ${text} not null,
      establecimiento ${text} not null,
      punto_emision ${text} not null,
      first_secuencial integer not null,
      secuencial ${text},
      access_key ${text},
      issue_date ${text},
      authorized_at ${text},
      charged ${text} not null,
      total ${text},
      code ${text},
      reason ${text},
      state ${text} not null,
      version integer not null,
      written_back ${text},
      created_at ${text} not null,
      updated_at ${text} not null
    )${table}`,
    `create unique index documents_number
      on documents (ruc, ambiente, cod_doc, establecimiento, punto_emision, secuencial)`,
    'create index documents_order on documents (order_id, shop, platform)',
    'create index documents_access_key on documents (access_key) where access_key is not null',
    'create index documents_state on documents (state, created_at)',
    'create index documents_age on documents (created_at)',

    `create table history (
      id ${identity},
      document_id ${text} not null references documents (id),
      at ${text} not null,
      from_state ${text},
      to_state ${text} not null,
      note ${text}
    )${table}`,
    'create index history_document on history (document_id, id)',

    `create table attempts (
      id ${text} primary key,
      document_id ${text} not null references documents (id),
      n integer not null,
      issue_date ${text} not null,
      secuencial ${text} not null,
      sealed_body ${text} not null,
      total ${text} not null,
      buyer_id ${text} not null,
      netted_refunds ${text} not null,
      access_key ${text},
      outcome ${text} not null,
      errors ${text} not null,
      created_at ${text} not null,
      ended_at ${text},
      unique (document_id, n)
    )${table}`,
    'create index attempts_access_key on attempts (access_key) where access_key is not null',

    `create table series (
      ruc ${text} not null,
      ambiente integer not null,
      cod_doc ${text} not null,
      establecimiento ${text} not null,
      punto_emision ${text} not null,
      next integer,
      stopped_reason ${text},
      stopped_at ${text},
      primary key (ruc, ambiente, cod_doc, establecimiento, punto_emision)
    )${table}`,

    `create table work (
      id ${text} primary key,
      kind ${text} not null,
      subject ${text} not null,
      store_id ${text} not null,
      budget ${text},
      lane ${text} not null,
      priority integer not null,
      due_at ${text} not null,
      state ${text} not null default 'waiting',
      payload ${text},
      attempts integer not null default 0,
      reason ${text},
      released_at ${text},
      token ${text},
      lease_until ${text},
      asked_again_at ${text}
    )${table}`,
    'create unique index work_subject on work (subject, kind)',
    "create index work_lanes on work (lane, priority, due_at, id) where state = 'waiting'",
    "create index work_due on work (due_at) where state = 'waiting'",
    "create index work_released on work (released_at) where state = 'released'",
    "create index work_leased on work (lease_until) where state = 'leased'",

    `create table budgets (
      key_hash ${text} primary key,
      tat ${real} not null
    )${table}`,
  ],
};
