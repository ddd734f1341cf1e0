import { referenceField } from '../../../mappers/additional-info.ts';
import { startOfEcuadorDay } from '../../domain/calendar.ts';
import { type Document, documentCodes, documentKey, readReference } from '../../domain/document.ts';
import { isWithinCents } from '../../domain/money.ts';
import type { MoveNote } from '../../domain/move-note.ts';
import type { Order } from '../../domain/order.ts';
import type { Store } from '../../domain/settings.ts';
import type { NewAttempt } from '../../ledger/document-tables.ts';
import type { Tables } from '../../ledger/ledger.ts';
import type { UnknownDocument } from '../../ledger/unknown-documents.ts';
import { mapFactura } from '../../planner/map-factura.ts';
import { planCredit } from '../../planner/plan.ts';
import { inOrder } from '../../planner/refunds/order-of.ts';
import type { Compared } from '../../protocol/events.ts';
import { type Rules, rules } from '../../protocol/rules.ts';
import type { FoundDocument } from '../../service/answers.ts';
import type { AuthorizedXml } from '../../service/authorized-xml.ts';
import { askSync, askWriteBack } from '../ask.ts';
import type { StepDeps } from '../deps.ts';
import { plannedDocuments } from '../planned-documents.ts';
import { decideInside } from '../sending/happen.ts';
import { namedKey } from '../sending/state.ts';
import { named } from '../sentences.ts';
import { showStopped } from '../wake-order.ts';
import { isStill, meetKeysOf, neverStood, numberOfAnother, placeOf } from './meet.ts';

const hour = 3_600_000;

/**
 * Before an order is planned: what the service holds of it and the ledger lost becomes its document again. It is the
 * order's by its reference and number; where buyer and total are those the order has, it is authorised with that content,
 * else a person is told what differs. Throws while it cannot be known: no order is planned past a factura it has.
 */
export async function bindUnknown(deps: StepDeps, store: Store, order: Order): Promise<void> {
  await meetKeysOf(deps, store, order);
  const key = { platform: order.platform, shop: order.shop, orderId: order.id };
  const refunds = order.refunds.map(({ id }) => id);
  for (const unknown of await deps.ledger.unknownDocuments.ofOrder(key, refunds))
    await bindOne(deps, store, order, unknown);
}

async function bindOne(deps: StepDeps, store: Store, order: Order, unknown: UnknownDocument): Promise<void> {
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
    if (there && !isOwn) await makeRoom(tables, there, now);
    const key = { platform: order.platform, shop: order.shop, orderId: order.id };
    for (const one of await tables.documents.ofOrder(key))
      if (one.kind === unknown.kind && one.sourceId === unknown.sourceId && one.id !== there?.id)
        await giveWay(tables, one, now);
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
    // A nota de crédito that was lost with its factura is found by its refund, once the order is read again.
    if (unknown.kind === 'factura' && order.refunds.length > 0)
      await askSync(tables, { ...key, storeId: store.id }, now);
  });
  deps.log.warn(
    { store: store.id, order: order.id, number: stored.numero, agrees: draft !== null },
    'An order is bound to the document the service holds of it',
  );
}

type Draft = Omit<NewAttempt, 'documentId'>;

/** What was sent, as far as the order still says it; null where buyer or total are others. */
async function contentOf(
  deps: StepDeps,
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

type Content = Pick<NewAttempt, 'body' | 'total' | 'buyerId' | 'nettedRefunds' | 'ties'>;
type At = { now: Date; secuencial: string };

/** As it may have been sent: with none of its refunds yet, or less the first of them, or less more. */
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
    if (!sale.ok) return [];
    const { body, total, ties } = sale.mapped;
    return {
      ...{ body: JSON.stringify(body), total, buyerId: sale.recipient.id, ties: [...ties] },
      nettedRefunds: sale.netted,
    };
  });
}

async function draftCredit(
  deps: StepDeps,
  store: Store,
  order: Order,
  refundId: string,
  { now, secuencial }: At,
): Promise<Content | null> {
  const key = { platform: order.platform, shop: order.shop, orderId: order.id };
  const documents = await plannedDocuments(deps.ledger, key);
  const input = { order, documents, store, invoiceFrom: deps.invoiceFrom(store), now };
  const planned = planCredit(input, refundId, secuencial);
  if (!planned?.credit || planned.action.body === null || planned.action.document === null) return null;
  const { body, document: total } = planned.action;
  return {
    ...{ body: JSON.stringify(body), total, buyerId: body.comprador.identificacion },
    ...{ nettedRefunds: [...planned.linesFrom], ties: [...planned.credit.ties] },
  };
}

function identityOf(
  { platform, shop, kind, sourceId }: UnknownDocument,
  ambiente: Document['ambiente'],
  stored: AuthorizedXml,
) {
  const { ordinal = 1 } = readReference(stored.campoAdicional[referenceField]) ?? {};
  return { platform, shop, ambiente, kind, sourceId, ordinal };
}

/** The number is another document's: the one that has it here gives it up, and its order is planned anew. */
async function makeRoom(tables: Tables, there: Document, now: Date): Promise<void> {
  if (there.state !== 'cancelled') {
    const patch = { code: 'ledger-older', reason: numberOfAnother(there) };
    await cancel(tables, there, patch, now);
    await askSync(tables, there, now);
  }
  await tables.documents.displace(there.id);
}

/** The order has its document already: what was planned for it here is dropped, its number stays as a gap. */
async function giveWay(tables: Tables, planned: Document, now: Date): Promise<void> {
  // One that is authorised under another number stays: the order has both.
  if (planned.state === 'cancelled' || planned.state === 'authorized') return;
  const reason = `El pedido ya tenía ${named(planned)} autorizada, que el registro había perdido.`;
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
  if (!moved) throw new Error('A document that must give way is on its way; it is looked at again.');
  await askWriteBack(tables, moved, now);
}

async function bindDocument(
  deps: StepDeps,
  tables: Tables,
  bound: {
    store: Store;
    order: Order;
    unknown: UnknownDocument;
    stored: AuthorizedXml;
    found: FoundDocument;
    draft: Draft | null;
    /** The order's document of that number, which never left as far as the ledger knows. */
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
    ...{ account: unknown.account, keyHash: unknown.keyHash, accessKey, issueDate: stored.fechaEmision },
    ...{ charged: total, total, code: 'stored-differs', reason: differs(order, unknown, stored) },
  };
  const note = { cause: 'lost by the ledger', accessKey } as const;
  const made = {
    ...{ ...identity, ...issued, note, secuencial, now, firstSecuencial: Number(secuencial) },
    ...{ ruc: series.ruc, establecimiento: series.establecimiento, puntoEmision: series.puntoEmision },
    ...{ storeId: store.id, orderId: order.id, orderName: order.name, codDoc: documentCodes[kind] },
  };
  const key = there?.key ?? documentKey(identity);
  const document = there
    ? await tables.documents.move(there.id, { from: [there.state], to: 'manual', patch: issued, note, now })
    : ((await tables.documents.bind({ ...made, key })) ??
      // The order has one of that name under another number: both stand there.
      (await tables.documents.bind({ ...made, key: `${key}/${accessKey}` })));
  if (!document) return;
  const isSecond = document.key !== key;
  if (draft === null || isSecond || found.state !== 'authorized') return showStopped(tables, document, now);
  const attempt = await tables.attempts.add({ ...draft, documentId: document.id });
  await tables.attempts.end(attempt.id, { outcome: 'adopted', accessKey, now });
  // Its XML was compared above.
  const asked = { kind: 'notified', key: namedKey(document, accessKey), isError: false, tries: 0 } as const;
  const compared: Compared = {
    ...{ kind: 'compared', key: asked.key, stored: { kind: 'this-sale', alike: [attempt.n] } },
    because: { step: 'whose', asker: asked, at: found.fechaAutorizacion },
  };
  await decideInside(deps, tables, document.id, async () => ({ event: compared }), {
    run: { rules: untilAllAreKnown },
    talk: { work: null },
  });
}

/** The series goes on once everything is known that was lost of it (catch-up.ts), not with the first that is bound. */
const untilAllAreKnown: Rules = { ...rules, mayResume: () => false };

const differs = (
  order: Order,
  { kind, accessKey }: UnknownDocument,
  { numero, importeTotal }: AuthorizedXml,
) =>
  `El servicio tiene autorizada ${named({ kind })} ${numero} de este pedido (clave ${accessKey}, total ${importeTotal}), que el registro había perdido, y su comprador o su total no son los que el pedido ${order.name} tiene ahora. No se emite otra: compárelas y, si es la correcta, dé su clave con facturapuente adopt y --sin-comprobar.`;
