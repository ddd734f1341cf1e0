import { documentKey, type Series } from '../../src/domain/document.ts';
import { type JobRequest, orderSubject } from '../../src/domain/job.ts';
import type { NewAttempt } from '../../src/ledger/attempts.ts';
import type { NewDocument } from '../../src/ledger/documents.ts';
import type { NewDelivery } from '../../src/ledger/orders.ts';
import type { OrderKey } from '../../src/ledger/schema.ts';

/** The instant all samples speak of; later ones are `at(milliseconds)`. */
export const noon = new Date('2026-11-20T17:00:00.000Z');
export const at = (ms: number): Date => new Date(noon.getTime() + ms);

export const encryptionKey = new Uint8Array(32).fill(7);

export const order: OrderKey = { platform: 'shopify', shop: 'demo.myshopify.com', orderId: '5001' };

export const series: Series = {
  ruc: '1790012345001',
  ambiente: 1,
  codDoc: '01',
  establecimiento: '001',
  puntoEmision: '002',
};

export function job(subject = 'document-1', over: Partial<JobRequest> = {}): JobRequest {
  return {
    kind: 'submit-document',
    subject,
    storeId: 'tienda',
    rateLimit: 'key-a',
    priority: 0,
    dueAt: noon,
    ...over,
  };
}

export function delivery(dedupeKey: string, over: Partial<NewDelivery> = {}): NewDelivery {
  const orderId = over.orderId ?? order.orderId;
  return {
    connection: 'app',
    dedupeKey,
    topic: 'orders/paid',
    ...order,
    orderId,
    body: Buffer.from(`{"id":${JSON.stringify(dedupeKey)}}`),
    receivedAt: noon,
    job: {
      kind: 'sync-order',
      subject: orderSubject({ ...order, orderId: orderId ?? '' }),
      storeId: 'tienda',
      rateLimit: null,
      priority: 5,
      dueAt: noon,
    },
    ...over,
  };
}

export function document(over: Partial<NewDocument> = {}): NewDocument {
  const identity = {
    platform: order.platform,
    shop: order.shop,
    ambiente: over.ambiente ?? series.ambiente,
    kind: over.kind ?? ('factura' as const),
    sourceId: over.sourceId ?? order.orderId,
    ordinal: over.ordinal ?? 0,
  };
  return {
    ...identity,
    key: documentKey(identity),
    storeId: 'tienda',
    orderId: order.orderId,
    orderName: '#1001',
    account: 'principal',
    keyHash: 'key-a',
    ruc: series.ruc,
    codDoc: series.codDoc,
    establecimiento: series.establecimiento,
    puntoEmision: series.puntoEmision,
    firstSecuencial: 1,
    charged: '115.00',
    total: null,
    state: 'ready',
    code: null,
    reason: null,
    now: noon,
    ...over,
  };
}

export function attempt(documentId: string, over: Partial<NewAttempt> = {}): NewAttempt {
  return {
    documentId,
    issueDate: '2026-11-20',
    secuencial: '000000001',
    body: '{"comprador":"Ñandú S.A."}',
    total: '115.00',
    buyerId: '1710034065',
    nettedRefunds: ['r1'],
    overpaid: '46.00',
    lineReferences: [{ source: 'line:1', units: '1' }],
    leftOut: [{ source: 'line:2', discount: '1.25' }],
    now: noon,
    ...over,
  };
}
