import type { FacturaBody, NotaCreditoBody } from '../../mappers/body.ts';
import { type Attempt, type AttemptOutcome, type Document, documentNumber } from '../domain/document.ts';
import type { Order } from '../domain/order.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { OrderKey } from '../ledger/shop-tables.ts';
import type { PlannedDocument, SentContent } from '../planner/input.ts';

/** A document of an order as the planner wants it. */
export type Known = Document & PlannedDocument;

/** Every document of an order with what left of it. */
export async function plannedDocuments(
  { documents, attempts }: Pick<Tables, 'documents' | 'attempts'>,
  order: OrderKey,
): Promise<Known[]> {
  const known: Known[] = [];
  for (const document of await documents.ofOrder(order)) {
    const attempt = counting(document, await attempts.ofDocument(document.id));
    const { ruc, ambiente } = document;
    const sent = attempt ? toSent(document, attempt) : null;
    known.push({ ...document, issuedBy: { ruc, ambiente }, sent });
  }
  return known;
}

/** The notas de crédito of other orders whose refunds had the ids of this one's; what left of them is theirs. */
export async function creditsOfOthers(
  { documents }: Pick<Tables, 'documents'>,
  key: OrderKey,
  { refunds }: Pick<Order, 'refunds'>,
): Promise<PlannedDocument[]> {
  const ids = refunds.map(({ id }) => id);
  return (await documents.ofOtherOrders(key, ids)).map((document) => ({ ...document, sent: null }));
}

/**
 * Inside a transaction: the documents of an order as they stand now, null where nothing moved since `known` was read.
 * The facturas stand still until COMMIT: whoever authorises one meanwhile reads the order after us, with its refunds.
 */
export async function movedSince(
  tables: Pick<Tables, 'documents' | 'attempts'>,
  order: OrderKey,
  known: readonly Known[],
): Promise<Known[] | null> {
  const there = known.length > 0 ? known : await tables.documents.ofOrder(order);
  if (there.length === 0) return null;
  for (const { id, kind } of there) if (kind === 'factura') await tables.documents.lock(id);
  const versions = new Map(known.map(({ id, version }) => [id, version]));
  const now = await tables.documents.ofOrder(order);
  const same = now.length === known.length && now.every(({ id, version }) => versions.get(id) === version);
  return same ? null : plannedDocuments(tables, order);
}

const mayCome = new Set<AttemptOutcome>([
  ...(['open', 'created', 'adopted', 'unknown', 'authorized', 'reprocessed'] as const),
]);

/**
 * The attempt that was authorised, else the last that still may be. A number the authority says it knows already
 * (`manual`) counts too, until a person has found out.
 */
function counting({ state }: Document, attempts: readonly Attempt[]): Attempt | undefined {
  if (state === 'cancelled' || state === 'rejected') return undefined;
  const authorized = attempts.find(({ outcome }) => outcome === 'authorized');
  if (authorized || state === 'authorized' || state === 'manual') return authorized ?? attempts.at(-1);
  const open = attempts.findLast(({ outcome }) => mayCome.has(outcome));
  // One that ended with an error may still come true while it waits to be reprocessed.
  return open ?? (state === 'processing' ? attempts.at(-1) : undefined);
}

/** Our own JSON, sealed since it was written: read, not checked again. */
function toSent(document: Document, attempt: Attempt): SentContent {
  const body = JSON.parse(attempt.body) as FacturaBody | NotaCreditoBody;
  return {
    items: body.items,
    totales: body.totales,
    comprador: body.comprador,
    ties: attempt.ties,
    number: documentNumber(document) ?? '',
    issueDate: attempt.issueDate,
    accessKey: attempt.accessKey ?? document.accessKey,
    total: attempt.total,
    nettedRefunds: attempt.nettedRefunds,
  };
}
