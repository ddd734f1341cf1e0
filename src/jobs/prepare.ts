import type { FacturaBody, NotaCreditoBody } from '../../mappers/body.ts';
import { reasonOf } from '../../mappers/hold.ts';
import { ecuadorDay, startOfEcuadorDay } from '../domain/clock.ts';
import { type Attempt, type Document, documentNumber, isAuthorisedFactura } from '../domain/document.ts';
import { isThrownAway, type Order } from '../domain/order.ts';
import type { Store } from '../domain/settings.ts';
import type { NewAttempt } from '../ledger/attempts.ts';
import type { Move } from '../ledger/documents.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { OrderKey, OrderRow } from '../ledger/schema.ts';
import type { Billed, PlannedDocument, Relative, SentContent, Trace } from '../planner/action.ts';
import { mapFactura } from '../planner/map-factura.ts';
import { apartFromIn, lineageOf } from '../planner/order-tree.ts';
import { planCredit } from '../planner/plan.ts';
import { rules } from '../protocol/rules.ts';
import { namesIssueDate } from '../service/inferred.ts';
import { withQuestion } from './ask-buyer.ts';
import type { JobDeps } from './deps.ts';
import { enqueueDocument, enqueueSync } from './enqueue.ts';

const code = 'other-issuer';

export const isOfOtherIssuer = ({ ruc, ambiente }: Document, { issuer }: Pick<Store, 'issuer'>): boolean =>
  ruc !== issuer.ruc || ambiente !== issuer.ambiente;

/** A number names one document of one issuer, so the document waits for that issuer; one of the trials is dropped. */
export async function awaitIssuer(
  tables: Tables,
  document: Document,
  store: Pick<Store, 'issuer'>,
  now: Date,
): Promise<void> {
  const { id } = document;
  const from = ['held', 'ready'] as const;
  const reason = otherIssuerReason(document, store);
  if (isOfTrials(document, store)) {
    if (await moveShown(tables, id, { from, to: 'cancelled', patch: { code, reason }, note: { code }, now }))
      await enqueueSync(tables, document, now);
    return;
  }
  if (document.state === 'held' && document.reason === reason) return;
  await moveShown(tables, id, { from, to: 'held', patch: { code, reason }, note: { code }, now });
}

export const isOfTrials = ({ ruc, ambiente }: Document, { issuer }: Pick<Store, 'issuer'>): boolean =>
  ruc === issuer.ruc && ambiente === 1;

export function otherIssuerReason(document: Document, { issuer }: Pick<Store, 'issuer'>): string {
  const { ruc, ambiente, kind } = document;
  const facts = { number: documentNumber(document) ?? '', kind, ruc, ambiente };
  return isOfTrials(document, { issuer })
    ? reasonOf('other-issuer', { why: 'trial', ...facts })
    : reasonOf('other-issuer', { why: 'number', ...facts, nowRuc: issuer.ruc, nowAmbiente: issuer.ambiente });
}

async function moveShown(tables: Tables, id: string, move: Move): Promise<Document | undefined> {
  const moved = await tables.documents.move(id, move);
  if (moved) await enqueueDocument(tables, 'write-back', moved, move.now);
  return moved;
}

export type Prepared =
  | { kind: 'send'; draft: NewAttempt; trace: Trace }
  | {
      kind: 'held';
      to: 'held' | 'manual';
      code: string;
      reason: string;
      buyerReason: string | null;
      trace: Trace;
    }
  /** Nothing is to be sent now; the next sync of the order decides. */
  | { kind: 'nothing' };

/** Inside the transaction that sends it. */
export async function prepare(
  deps: Pick<JobDeps, 'clock' | 'invoiceFrom'>,
  tables: Tables,
  document: Document,
  configured: Store,
): Promise<Prepared> {
  const row = await tables.orders.ofDocument(document);
  if (!row && (await tables.orders.get(document))) return replaced;
  const { secuencial, establecimiento, puntoEmision } = document;
  // The series of its number, which may be another than the store uses now.
  const store = { ...configured, series: { ...configured.series, establecimiento, puntoEmision } };
  // Without a decision the buyer was removed since (forget-buyer.ts): the order is read again.
  if (!row || row.decision === null || secuencial === null) return { kind: 'nothing' };
  const order = await withQuestion(tables, row.snapshot as Order);
  const seen = { order, store, now: deps.clock.now(), secuencial };
  if (document.kind === 'factura') return prepareFactura(document, seen);
  return prepareCredit(tables, document, seen, deps.invoiceFrom(configured));
}

const replaced: Prepared = {
  kind: 'held',
  to: 'held',
  code: 'order-replaced',
  reason: reasonOf('order-replaced', {}),
  buyerReason: null,
  trace: {},
};

interface Seen {
  order: Order;
  store: Store;
  now: Date;
  secuencial: string;
}

function prepareFactura(document: Document, { order, store, now, secuencial }: Seen): Prepared {
  const sale = mapFactura(order, store, document, { now, secuencial });
  if (!sale.ok) return { kind: 'held', to: 'held', ...sale };
  const at = { documentId: document.id, issueDate: ecuadorDay(now), secuencial, now };
  return { kind: 'send', draft: { ...contentOfFactura(sale), ...at }, trace: sale.trace };
}

export type Content = Pick<
  NewAttempt,
  'body' | 'total' | 'buyerId' | 'nettedRefunds' | 'overpaid' | 'lineReferences' | 'leftOut'
>;

export const contentOfFactura = ({
  mapped,
  recipient,
  netted,
  overpaid,
}: Extract<ReturnType<typeof mapFactura>, { ok: true }>): Content => ({
  body: JSON.stringify(mapped.body),
  total: mapped.total,
  buyerId: recipient.id,
  nettedRefunds: netted,
  overpaid,
  lineReferences: mapped.lineReferences,
  leftOut: mapped.leftOut,
});

/** Null where the plan has no document. */
export function contentOfCredit(planned: NonNullable<ReturnType<typeof planCredit>>): Content | null {
  const { credit, linesFrom } = planned;
  const { body, document: total } = planned.action;
  if (credit === null || body === null || total === null) return null;
  return {
    body: JSON.stringify(body),
    total,
    buyerId: body.comprador.identificacion,
    nettedRefunds: [...linesFrom],
    overpaid: '0.00',
    leftOut: [],
    lineReferences: [...credit.lineReferences],
  };
}

/** Two notas de crédito of one factura must not be sent at once: its row is locked before its rest is read. */
async function prepareCredit(
  tables: Tables,
  document: Document,
  { order, store, now, secuencial }: Seen,
  invoiceFrom: Date,
): Promise<Prepared> {
  const factura = (await tables.documents.ofOrder(document)).find(isAuthorisedFactura);
  if (!factura) return { kind: 'nothing' };
  await tables.documents.lock(factura.id);
  const documents = await plannedDocuments(tables, document);
  const input = { order, documents, store, invoiceFrom, now };
  const planned = planCredit(input, document.sourceId, secuencial);
  if (!planned || !documents.some(isAuthorisedFactura)) return { kind: 'nothing' };
  const { action, trace, code, reason, buyerReason } = planned.action;
  if (action === 'hold' || action === 'manual')
    return { kind: 'held', to: action === 'hold' ? 'held' : 'manual', code, reason, buyerReason, trace };
  const content = contentOfCredit(planned);
  if (content === null) return { kind: 'nothing' };
  const at = { documentId: document.id, issueDate: ecuadorDay(now), secuencial, now };
  return { kind: 'send', draft: { ...content, ...at }, trace };
}

/** `midnight`: the service's day changes moments before or after ours. `unexplained`: it may answer another request. */
type WrongDay = { kind: 'midnight'; waitMs: number } | { kind: 'clock' } | { kind: 'unexplained' };

const minute = 60_000;
const day = 24 * 60 * minute;
const tolerance = 5 * minute;
const nearMidnight = 10 * minute;
const shortestWait = 5_000;

/** Null when the refusal does not name the date. */
export function wrongDay(
  answer: { errors: readonly string[]; date: Date | null },
  now: Date,
): WrongDay | null {
  if (!namesIssueDate(answer.errors)) return null;
  const today = ecuadorDay(now);
  if (answer.date && ecuadorDay(answer.date) !== today && !clocksAgree(answer.date, now))
    return { kind: 'clock' };
  const since = now.getTime() - startOfEcuadorDay(today).getTime();
  const left = day - since;
  if (left <= nearMidnight) return { kind: 'midnight', waitMs: left };
  if (since <= nearMidnight) return { kind: 'midnight', waitMs: Math.max(since, shortestWait) };
  return { kind: 'unexplained' };
}

export const clocksAgree = (theirs: Date, ours: Date): boolean =>
  Math.abs(theirs.getTime() - ours.getTime()) <= tolerance;

export type Known = Document & PlannedDocument;

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

export async function creditsOfOthers(
  { documents }: Pick<Tables, 'documents'>,
  key: OrderKey,
  { refunds }: Pick<Order, 'refunds'>,
): Promise<PlannedDocument[]> {
  const ids = refunds.map(({ id }) => id);
  return (await documents.ofOtherOrders(key, ids)).map((document) => ({ ...document, sent: null }));
}

/** Null where none moved. The facturas are locked until COMMIT: a run that authorises one reads the order after it. */
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

/** The attempt that was authorised, else the last that still may be; of a document in `manual` the last one. */
function counting({ state }: Document, attempts: readonly Attempt[]): Attempt | undefined {
  if (state === 'cancelled' || state === 'rejected') return undefined;
  const authorized = attempts.find(({ outcome }) => outcome === 'authorized');
  if (authorized || state === 'authorized' || state === 'manual') return authorized ?? attempts.at(-1);
  const open = attempts.findLast(rules.mayComeTrue);
  // One that ended with an error may still come true while it waits to be reprocessed.
  return open ?? (state === 'processing' ? attempts.at(-1) : undefined);
}

function toSent(document: Document, attempt: Attempt): SentContent {
  const body = JSON.parse(attempt.body) as FacturaBody | NotaCreditoBody;
  return {
    items: body.items,
    totales: body.totales,
    comprador: body.comprador,
    lineReferences: attempt.lineReferences,
    number: documentNumber(document) ?? '',
    issueDate: attempt.issueDate,
    accessKey: attempt.accessKey ?? document.accessKey,
    total: attempt.total,
    nettedRefunds: attempt.nettedRefunds,
    overpaid: attempt.overpaid,
    leftOut: attempt.leftOut,
  };
}

type Read = Pick<Tables, 'orders' | 'documents' | 'attempts'>;

/** The orders above this one, nearest first, and the first above them that the ledger does not have. */
export async function ancestorsOf(
  { orders }: Pick<Tables, 'orders'>,
  { platform, shop, id, parentId }: Order,
): Promise<{ rows: OrderRow[]; missing: OrderKey | null }> {
  const rows: OrderRow[] = [];
  const seen = new Set([id]);
  for (let orderId = parentId; orderId !== undefined && !seen.has(orderId); ) {
    seen.add(orderId);
    const key = { platform, shop, orderId };
    const row = await orders.get(key);
    if (!row) return { rows, missing: key };
    rows.push(row);
    orderId = (row.snapshot as Order).parentId;
  }
  return { rows, missing: null };
}

export async function relativesOf(tables: Read, order: Order): Promise<Relative[]> {
  const { platform, shop } = order;
  const { rows } = await ancestorsOf(tables, order);
  const ids = [rows.at(-1)?.orderId ?? order.id];
  const seen = new Set([order.id, ...rows.map(({ orderId }) => orderId)]);
  for (const orderId of ids) {
    for (const row of await tables.orders.children({ platform, shop, orderId })) {
      if (!ids.includes(row.orderId)) ids.push(row.orderId);
      if (seen.has(row.orderId)) continue;
      seen.add(row.orderId);
      rows.push(row);
    }
  }
  const relatives: Relative[] = [];
  for (const row of rows)
    relatives.push(relativeOf(row.snapshot as Order, await plannedDocuments(tables, row)));
  return relatives;
}

export function relativeOf(order: Order, documents: readonly Known[]): Relative {
  const { id, name, parentId, hasSubOrders, paidApart, settlement, paidAt, lines, total, refunds } = order;
  const facturas = documents.filter(({ kind }) => kind === 'factura');
  const current = facturas.find(({ state }) => state !== 'held' && state !== 'cancelled');
  const apartFrom = apartFromIn(documents);
  return {
    id,
    name,
    settlement,
    paidAt,
    lines,
    total,
    refunds,
    isInvoiced: current !== undefined,
    ...(isThrownAway(order) && { thrownAway: true }),
    ...(parentId !== undefined && { parentId }),
    ...(hasSubOrders && { hasSubOrders }),
    ...(paidApart && { paidApart }),
    ...(apartFrom && { apartFrom }),
    billed: current?.sent ? billedOf(current.sent) : null,
  };
}

const billedOf = ({ items, totales, lineReferences, number, total }: Billed): Billed => ({
  items,
  totales,
  lineReferences,
  number,
  total,
});

export async function wakeRelatives(
  tables: Read & Pick<Tables, 'jobs'>,
  order: Order,
  relatives: readonly Relative[],
  { storeId, before, now }: { storeId: string; before: Relative | null; now: Date },
): Promise<void> {
  const { platform, shop } = order;
  const { above, below } = lineageOf(order, relatives);
  const beside = relatives.filter(({ parentId }) => parentId !== undefined && parentId === order.parentId);
  const seen = new Set([...above, ...below, ...beside].map(({ id }) => id));
  if (seen.size === 0) return;
  const documents = await plannedDocuments(tables, { platform, shop, orderId: order.id });
  if (JSON.stringify(relativeOf(order, documents)) === JSON.stringify(before)) return;
  for (const id of seen) await enqueueSync(tables, { platform, shop, orderId: id, storeId }, now);
}

/** The document is held because its order id was used for another sale: nothing is written onto that order. */
export const isReused = ({ code, state }: Pick<Known, 'code' | 'state'>): boolean =>
  state === 'held' && code === 'order-id-reused';
