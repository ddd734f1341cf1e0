import type { Migration } from '../migrate.ts';

/** schema.ts says what each column holds. Applied migrations never change (their checksum is stored): write a new one. */
export const tables: Migration = {
  name: '0001-tables',
  statements: ({ text, bytes, real, identity, table }) => [
    `create table stores (
      platform ${text} not null,
      shop ${text} not null,
      id ${text} not null,
      first_started_at ${text} not null,
      app ${text},
      identity ${text},
      address ${text},
      asked_at ${text},
      primary key (platform, shop)
    )${table}`,
    'create unique index stores_identity on stores (platform, identity)',

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
      fingerprint ${text},
      paid ${text},
      readings integer not null default 0,
      older_since ${text},
      parent_id ${text},
      primary key (platform, shop, order_id)
    )${table}`,
    'create index orders_parent on orders (platform, shop, parent_id) where parent_id is not null',
    'create index orders_changed on orders (platform, shop, source_updated_at, order_id)',
    'create index orders_name on orders (name)',
    `create index orders_waiting on orders (source_updated_at)
      where decision like '%"partially-paid"%' or decision like '%"refund-pending"%'`,

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
      updated_at ${text} not null,
      trace ${text},
      verified_at ${text},
      verification ${text},
      annulled_at ${text},
      fingerprint ${text},
      displaced ${text} not null default '',
      link_version integer not null default 0
    )${table}`,
    'create index documents_order on documents (order_id, shop, platform)',
    'create index documents_access_key on documents (access_key) where access_key is not null',
    'create index documents_state on documents (state, created_at)',
    'create index documents_age on documents (created_at)',
    "create index documents_final on documents (state, kind) where state in ('authorized', 'cancelled')",
    'create index documents_store on documents (store_id, created_at)',
    'create index documents_charged on documents (charged, created_at)',
    `create index documents_open
      on documents (kind, state, created_at, store_id, ambiente, charged, total)
      where state not in ('authorized', 'cancelled')`,
    'create index documents_issue_date on documents (issue_date, id) where issue_date is not null',
    "create index documents_refund on documents (source_id, shop, platform) where kind = 'nota-credito'",
    `create unique index documents_number
      on documents (ruc, ambiente, cod_doc, establecimiento, punto_emision, secuencial, displaced)`,

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
      encrypted_body ${text} not null,
      total ${text} not null,
      buyer_id ${text} not null,
      netted_refunds ${text} not null,
      overpaid ${text} not null,
      left_out ${text} not null,
      access_key ${text},
      outcome ${text} not null,
      errors ${text} not null,
      created_at ${text} not null,
      ended_at ${text},
      line_references ${text},
      reprocessed integer not null default 0,
      foreseen_key ${text},
      service_id ${real},
      unique (document_id, n)
    )${table}`,
    'create index attempts_access_key on attempts (access_key) where access_key is not null',
    "create index attempts_buyer on attempts (buyer_id) where buyer_id <> '9999999999999'",
    'create index attempts_issue_date on attempts (issue_date)',

    `create table series (
      ruc ${text} not null,
      ambiente integer not null,
      cod_doc ${text} not null,
      establecimiento ${text} not null,
      punto_emision ${text} not null,
      next integer,
      stopped_reason ${text},
      stopped_at ${text},
      stopped_secuencial ${text},
      sent_alone ${text},
      primary key (ruc, ambiente, cod_doc, establecimiento, punto_emision)
    )${table}`,

    `create table jobs (
      id ${text} primary key,
      kind ${text} not null,
      subject ${text} not null,
      store_id ${text} not null,
      rate_limit ${text},
      partition ${text} not null,
      priority integer not null,
      due_at ${text} not null,
      state ${text} not null default 'waiting',
      payload ${text},
      attempts integer not null default 0,
      reason ${text},
      released_at ${text},
      token ${text},
      lease_until ${text},
      asked_again_at ${text},
      trace ${text},
      failing_since ${text},
      deaths integer not null default 0
    )${table}`,
    'create unique index jobs_subject on jobs (subject, kind)',
    "create index jobs_partitions on jobs (partition, priority, due_at, id) where state = 'waiting'",
    "create index jobs_due on jobs (due_at) where state = 'waiting'",
    "create index jobs_released on jobs (released_at) where state = 'released'",
    "create index jobs_leased on jobs (lease_until) where state = 'leased'",
    'create index jobs_failing on jobs (failing_since) where failing_since is not null',
    'create index jobs_deaths on jobs (state) where deaths > 0',

    `create table rate_limits (
      key_hash ${text} primary key,
      tat ${real} not null,
      reserve_tat ${real} not null default 0,
      slow_until ${real} not null default 0
    )${table}`,

    `create table pauses (
      account ${text} not null,
      ambiente integer not null,
      cause ${text} not null,
      since ${text} not null,
      probes integer not null,
      emissions ${text} not null,
      questions ${text},
      primary key (account, ambiente)
    )${table}`,

    `create table reconciliations (
      platform ${text} not null,
      shop ${text} not null,
      version integer not null,
      reconciled_to ${text} not null,
      behind_since ${text},
      progress ${text},
      behind ${text},
      primary key (platform, shop)
    )${table}`,

    `create table credentials (
      platform ${text} not null,
      shop ${text} not null,
      encrypted ${text} not null,
      version integer not null,
      updated_at ${text} not null,
      primary key (platform, shop)
    )${table}`,

    `create table locks (
      name ${text} not null primary key,
      holder ${text} not null,
      until ${text} not null
    )${table}`,

    `create table questions (
      platform ${text} not null,
      shop ${text} not null,
      order_id ${text} not null,
      asked_at ${text} not null,
      cut_off_at ${text} not null,
      expires_at ${text} not null,
      mailed_at ${text},
      passed_at ${text},
      notified_at ${text},
      answered_at ${text},
      encrypted ${text},
      primary key (platform, shop, order_id)
    )${table}`,

    `create table files (
      document_id ${text} not null,
      kind ${text} not null,
      size integer not null,
      kept_at ${text} not null,
      digest ${text} not null,
      encrypted ${bytes} not null,
      primary key (document_id, kind)
    )${table}`,
    'create index files_by_age on files (kept_at, document_id)',
    'create index files_digest on files (digest, document_id)',

    `create table alerts (
      code ${text} not null,
      subject ${text} not null,
      params ${text} not null,
      since ${text} not null,
      over_at ${text},
      about ${text},
      primary key (code, subject)
    )${table}`,

    `create table alert_deliveries (
      channel ${text} not null,
      code ${text} not null,
      subject ${text} not null,
      times integer not null,
      notified_at ${text} not null,
      primary key (channel, code, subject)
    )${table}`,

    `create table listener_cursors (
      document_id ${text} not null,
      listener ${text} not null,
      state ${text} not null,
      version integer not null,
      moved_at ${text} not null,
      primary key (document_id, listener)
    )${table}`,

    `create table sessions (
      token_hash ${text} not null primary key,
      person ${text} not null,
      mark ${text} not null,
      began_at ${text} not null,
      seen_at ${text} not null,
      notice ${text},
      stage ${text} not null default 'password',
      encrypted_secret ${text}
    )${table}`,

    `create table audit_log (
      id ${identity},
      at ${text} not null,
      who ${text},
      what ${text} not null,
      subject ${text},
      outcome ${text} not null,
      facts ${text},
      about ${text}
    )${table}`,
    'create index audit_log_by_subject on audit_log (subject, id)',
    'create index audit_log_about on audit_log (about, id) where about is not null',
    'create index audit_log_who on audit_log (who, id)',

    `create table tallies (
      day ${text} primary key,
      open integer not null,
      tallies ${text} not null
    )${table}`,

    `create table closes (
      hash ${text} primary key,
      n integer not null,
      day ${text} not null,
      scope ${text} not null,
      result ${text} not null,
      content ${text} not null,
      signature ${text} not null,
      public_key ${text} not null,
      closed_at ${text} not null
    )${table}`,
    'create unique index closes_n on closes (n)',
    'create index closes_day on closes (day, scope, n)',

    `create table marks (
      name ${text} not null primary key,
      at ${text} not null,
      id ${text} not null
    )${table}`,

    `create table second_factors (
      person ${text} not null primary key,
      encrypted ${text} not null,
      last_step integer not null,
      enrolled_at ${text} not null,
      recovery_codes ${text} not null
    )${table}`,

    `create table counters (
      name ${text} not null primary key,
      ends_at ${text} not null,
      count integer not null
    )${table}`,
    'create index counters_end on counters (ends_at)',

    `create table key_digits (
      account ${text} not null,
      ruc ${text} not null,
      ambiente integer not null,
      cod_doc ${text} not null,
      digits ${text} not null,
      seen integer not null,
      varied_at ${text},
      primary key (account, ruc, ambiente, cod_doc)
    )${table}`,

    `create table shop_addresses (
      platform ${text} not null,
      address ${text} not null,
      shop ${text} not null,
      since ${text} not null,
      primary key (platform, address)
    )${table}`,

    `create table shop_holds (
      platform ${text} not null,
      shop ${text} not null,
      code ${text} not null,
      reason ${text} not null,
      found ${text} not null,
      owner ${text},
      since ${text} not null,
      primary key (platform, shop)
    )${table}`,

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
  ],
};
