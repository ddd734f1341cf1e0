import type { Document } from '../domain/document.ts';
import type { DocumentPatch, NewDocument } from './document-tables.ts';
import { newId } from './ids.ts';
import type { DocumentRecord } from './schema.ts';

export function readDocument(row: DocumentRecord): Document {
  return {
    id: row.id,
    key: row.key,
    storeId: row.store_id,
    platform: row.platform,
    shop: row.shop,
    ambiente: row.ambiente,
    kind: row.kind,
    sourceId: row.source_id,
    ordinal: row.ordinal,
    orderId: row.order_id,
    orderName: row.order_name,
    account: row.account,
    keyHash: row.key_hash,
    state: row.state,
    version: row.version,
    establecimiento: row.establecimiento,
    puntoEmision: row.punto_emision,
    ruc: row.ruc,
    codDoc: row.cod_doc,
    secuencial: row.secuencial,
    accessKey: row.access_key,
    issueDate: row.issue_date,
    authorizedAt: row.authorized_at,
    charged: row.charged,
    total: row.total,
    code: row.code,
    reason: row.reason,
    writtenBack: row.written_back,
    trace: row.trace,
    verifiedAt: row.verified_at,
    verification: row.verification === null ? null : JSON.parse(row.verification),
    annulledAt: row.annulled_at,
    fingerprint: row.fingerprint === null ? null : JSON.parse(row.fingerprint),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function toDocumentRow(document: NewDocument, trace: string | null): DocumentRecord {
  const now = document.now.toISOString();
  return {
    id: newId(),
    key: document.key,
    store_id: document.storeId,
    platform: document.platform,
    shop: document.shop,
    ambiente: document.ambiente,
    kind: document.kind,
    source_id: document.sourceId,
    ordinal: document.ordinal,
    order_id: document.orderId,
    order_name: document.orderName,
    account: document.account,
    key_hash: document.keyHash,
    ruc: document.ruc,
    cod_doc: document.codDoc,
    establecimiento: document.establecimiento,
    punto_emision: document.puntoEmision,
    first_secuencial: document.firstSecuencial,
    secuencial: null,
    access_key: null,
    issue_date: null,
    authorized_at: null,
    charged: document.charged,
    total: document.total,
    code: document.code,
    reason: document.reason,
    state: document.state,
    version: 1,
    written_back: null,
    trace,
    verified_at: null,
    verification: null,
    annulled_at: null,
    fingerprint: document.fingerprint ? JSON.stringify(document.fingerprint) : null,
    displaced: '',
    created_at: now,
    updated_at: now,
  };
}

/** Only what the patch names; `undefined` leaves a column alone. */
export function toPatchRow(patch: DocumentPatch): Partial<DocumentRecord> {
  const row: Partial<DocumentRecord> = {};
  if (patch.key !== undefined) row.key = patch.key;
  if (patch.ruc !== undefined) row.ruc = patch.ruc;
  if (patch.ambiente !== undefined) row.ambiente = patch.ambiente;
  if (patch.establecimiento !== undefined) row.establecimiento = patch.establecimiento;
  if (patch.puntoEmision !== undefined) row.punto_emision = patch.puntoEmision;
  if (patch.firstSecuencial !== undefined) row.first_secuencial = patch.firstSecuencial;
  if (patch.account !== undefined) row.account = patch.account;
  if (patch.keyHash !== undefined) row.key_hash = patch.keyHash;
  if (patch.accessKey !== undefined) row.access_key = patch.accessKey;
  if (patch.issueDate !== undefined) row.issue_date = patch.issueDate;
  if (patch.authorizedAt !== undefined) row.authorized_at = patch.authorizedAt;
  if (patch.charged !== undefined) row.charged = patch.charged;
  if (patch.total !== undefined) row.total = patch.total;
  if (patch.code !== undefined) row.code = patch.code;
  if (patch.reason !== undefined) row.reason = patch.reason;
  return row;
}
