import { referenceField } from '../../../mappers/body.ts';
import { reasonOf } from '../../../mappers/hold.ts';
import { startOfEcuadorDay } from '../../domain/clock.ts';
import {
  type Document,
  documentCodes,
  documentKey,
  type MoveNote,
  readReference,
} from '../../domain/document.ts';
import { isWithinCents } from '../../domain/money.ts';
import type { Order } from '../../domain/order.ts';
import type { Store } from '../../domain/settings.ts';
import type { NewAttempt } from '../../ledger/attempts.ts';
import type { Tables } from '../../ledger/ledger.ts';
import type { UnknownDocument } from '../../ledger/schema.ts';
import { mapFactura } from '../../planner/map-factura.ts';
import { planCredit } from '../../planner/plan.ts';
import { inOrder } from '../../planner/refund-records.ts';
import type { EventOf } from '../../protocol/events.ts';
import { type Rules, rules } from '../../protocol/rules.ts';
import type { FoundDocument } from '../../service/answers.ts';
import type { AuthorizedXml } from '../../service/authorized-xml.ts';
import type { JobDeps } from '../deps.ts';
import { enqueueDocument, enqueueSync, showStopped } from '../enqueue.ts';
import { namedKey } from '../load-state.ts';
import { type Content, contentOfCredit, contentOfFactura, plannedDocuments } from '../prepare.ts';
import { decideOnce } from '../run-protocol.ts';
import { saidOf } from '../sentences.ts';
import { checkKeysOf, isStill, neverStood, placeOf } from './lost-documents.ts';

const hour = 3_600_000;

/** Binds a lost document by its reference and number. Throws while the service cannot be read. */
export async function bindUnknown(deps: JobDeps, store: Store, order: Order): Promise<void> {
  await checkKeysOf(deps, store, order);
  const key = { platform: order.platform, shop: order.shop, orderId: order.id };
  const refunds = order.refunds.map(({ id }) => id);
  for (const unknown of await deps.ledger.unknownDocuments.ofOrder(key, refunds))
    await bindOne(deps, store, order, unknown);
}

async function bindOne(deps: JobDeps, store: Store, order: Order, unknown: UnknownDocument): Promise<void> {
  const { accessKey } = unknown;
  const account = deps.accounts.get(unknown.account) ?? store.account;
  const isKnown = account.keys.some(({ keyHash }) => keyHash === unknown.keyHash);
  const calls = deps.service(account, null, isKnown ? unknown.keyHash : account.keyHash);
  const found = await calls.consultarComprobante(accessKey);
  const xml = await calls.descargarXml(accessKey);
  if (found.kind !== 'found' || xml.kind !== 'found')
    throw new Error('A document that the ledger lost cannot be read from the service now.');
  const stored = xml.facts;
  const draft = await contentOf(deps, store, order, { unknown, stored });
  const now = deps.clock.now();
  await deps.ledger.transaction(async (tables) => {
    const place = placeOf(accessKey);
    const there = await tables.documents.byNumber(place.series, place.secuencial);
    const isOwn =
      there?.sourceId === unknown.sourceId && there.kind === unknown.kind && there.shop === order.shop;
    if (there && isOwn && !(await neverStood(tables, there)))
      return tables.unknownDocuments.bound(accessKey, now);
    if (there && !isOwn) await giveNumberUp(tables, there, now);
    const key = { platform: order.platform, shop: order.shop, orderId: order.id };
    for (const one of await tables.documents.ofOrder(key))
      if (one.kind === unknown.kind && one.sourceId === unknown.sourceId && one.id !== there?.id)
        await cancelPlanned(tables, one, now);
    await bindDocument(deps, tables, {
      store,
      order,
      unknown,
      stored,
      found,
      draft,
      there: isOwn ? there : undefined,
      now,
    });
    await tables.unknownDocuments.bound(accessKey, now);
    // A lost nota de crédito is found by its refund, once the order is read again.
    if (unknown.kind === 'factura' && order.refunds.length > 0)
      await enqueueSync(tables, { ...key, storeId: store.id }, now);
  });
  deps.log.warn(
    { store: store.id, order: order.id, number: stored.numero, agrees: draft !== null },
    'An order is bound to the document the service has of it',
  );
}

type Draft = Omit<NewAttempt, 'documentId'>;

/** Null where buyer or total differ. */
async function contentOf(
  deps: Pick<JobDeps, 'clock' | 'invoiceFrom' | 'ledger'>,
  store: Store,
  order: Order,
  { unknown, stored }: { unknown: UnknownDocument; stored: AuthorizedXml },
): Promise<Draft | null> {
  const { series, secuencial } = placeOf(unknown.accessKey);
  const { establecimiento, puntoEmision } = series;
  const issued = { ...store, series: { ...store.series, establecimiento, puntoEmision } };
  // As it was sent: on its own day, by the rules of that day.
  const now = new Date(startOfEcuadorDay(stored.fechaEmision).getTime() + 12 * hour);
  const at = { now, secuencial };
  const drafts =
    unknown.kind === 'factura'
      ? draftFacturas(issued, order, identityOf(unknown, series.ambiente, stored), at)
      : [await draftCredit(deps, issued, order, unknown.sourceId, at)];
  const cents = Math.max(stored.totalImpuestos.length, 1);
  const drafted = drafts.find(
    (one) =>
      one?.buyerId === stored.identificacionComprador && isWithinCents(stored.importeTotal, one.total, cents),
  );
  return drafted ? { ...drafted, issueDate: stored.fechaEmision, secuencial, now: deps.clock.now() } : null;
}

type At = { now: Date; secuencial: string };

/** A refund may have been made before or after the document was sent. */
function draftFacturas(
  store: Store,
  order: Order,
  identity: ReturnType<typeof identityOf>,
  at: At,
): Content[] {
  const oldestFirst = inOrder(order.refunds);
  const firsts = [[], ...oldestFirst.map((_one, n) => oldestFirst.slice(0, n + 1))];
  return firsts.flatMap((refunds) => {
    const sale = mapFactura({ ...order, refunds }, store, identity, at);
    return sale.ok ? contentOfFactura(sale) : [];
  });
}

async function draftCredit(
  deps: Pick<JobDeps, 'invoiceFrom' | 'ledger'>,
  store: Store,
  order: Order,
  refundId: string,
  { now, secuencial }: At,
): Promise<Content | null> {
  const key = { platform: order.platform, shop: order.shop, orderId: order.id };
  const documents = await plannedDocuments(deps.ledger, key);
  const input = { order, documents, store, invoiceFrom: deps.invoiceFrom(store), now };
  const planned = planCredit(input, refundId, secuencial);
  return planned ? contentOfCredit(planned) : null;
}

function identityOf(
  { platform, shop, kind, sourceId }: UnknownDocument,
  ambiente: Document['ambiente'],
  stored: AuthorizedXml,
) {
  const { ordinal = 1 } = readReference(stored.campoAdicional[referenceField]) ?? {};
  return { platform, shop, ambiente, kind, sourceId, ordinal };
}

async function giveNumberUp(tables: Tables, there: Document, now: Date): Promise<void> {
  if (there.state !== 'cancelled') {
    const patch = { code: 'ledger-older', reason: saidOf('numberOfAnother', there) };
    await cancel(tables, there, patch, now);
    await enqueueSync(tables, there, now);
  }
  await tables.documents.displace(there.id);
}

/** Its number stays as a gap. */
async function cancelPlanned(tables: Tables, planned: Document, now: Date): Promise<void> {
  if (planned.state === 'cancelled' || planned.state === 'authorized') return;
  const reason = reasonOf('ledger-older', { why: 'had-own', kind: planned.kind });
  const patch = { code: 'ledger-older', reason };
  await cancel(tables, planned, patch, now);
}

async function cancel(
  tables: Tables,
  document: Document,
  patch: { code: string; reason: string },
  now: Date,
): Promise<void> {
  const attempts = await tables.attempts.ofDocument(document.id);
  const isFree = isStill(document) && (document.state !== 'ready' || attempts.length === 0);
  const note: MoveNote = { code: patch.code };
  const move = { from: [document.state], to: 'cancelled', patch, note, now } as const;
  const moved = isFree && (await tables.documents.move(document.id, move));
  if (!moved) throw new Error('A document that is to be cancelled is on its way; it is tried again.');
  await enqueueDocument(tables, 'write-back', moved, now);
}

async function bindDocument(
  deps: JobDeps,
  tables: Tables,
  bound: {
    store: Store;
    order: Order;
    unknown: UnknownDocument;
    stored: AuthorizedXml;
    found: FoundDocument;
    draft: Draft | null;
    there: Document | undefined;
    now: Date;
  },
): Promise<void> {
  const { store, order, unknown, stored, found, draft, there, now } = bound;
  const { accessKey, kind } = unknown;
  const { series, secuencial } = placeOf(accessKey);
  const identity = identityOf(unknown, series.ambiente, stored);
  const total = draft?.total ?? stored.importeTotal;
  const issued = {
    account: unknown.account,
    keyHash: unknown.keyHash,
    accessKey,
    issueDate: stored.fechaEmision,
    charged: total,
    total,
    code: 'stored-differs',
    reason: differs(order, unknown, stored),
  };
  const note = { cause: 'lost by the ledger', accessKey } as const;
  const made = {
    ...identity,
    ...issued,
    note,
    secuencial,
    now,
    firstSecuencial: Number(secuencial),
    ruc: series.ruc,
    establecimiento: series.establecimiento,
    puntoEmision: series.puntoEmision,
    storeId: store.id,
    orderId: order.id,
    orderName: order.name,
    codDoc: documentCodes[kind],
  };
  const key = there?.key ?? documentKey(identity);
  const document = there
    ? await tables.documents.move(there.id, { from: [there.state], to: 'manual', patch: issued, note, now })
    : ((await tables.documents.bind({ ...made, key })) ??
      // The order has one of that key under another number: both stay.
      (await tables.documents.bind({ ...made, key: `${key}/${accessKey}` })));
  if (!document) return;
  const isSecond = document.key !== key;
  if (draft === null || isSecond || found.state !== 'authorized') return showStopped(tables, document, now);
  const attempt = await tables.attempts.add({ ...draft, documentId: document.id });
  await tables.attempts.end(attempt.id, { outcome: 'adopted', accessKey, now });
  const asked = { kind: 'notified', key: namedKey(document, accessKey), isError: false, tries: 0 } as const;
  const compared: EventOf<'compared'> = {
    kind: 'compared',
    key: asked.key,
    stored: { kind: 'this-sale', alike: [attempt.n] },
    purpose: { kind: 'whose', asker: asked, at: found.fechaAutorizacion },
  };
  await decideOnce(deps, tables, document.id, async () => ({ event: compared }), {
    run: { rules: untilAllAreKnown },
    exchange: { claimed: null },
  });
}

/** The series goes on once all its lost documents are known (catch-up.ts), not with the first that is bound. */
const untilAllAreKnown: Rules = { ...rules, mayResume: () => false };

const differs = (
  order: Order,
  { kind, accessKey }: UnknownDocument,
  { numero, importeTotal }: AuthorizedXml,
) =>
  reasonOf('stored-differs', {
    why: 'found',
    kind,
    number: numero,
    key: accessKey,
    total: importeTotal,
    order: order.name,
  });
