import { type Document, type DocumentState, documentCodes } from '../domain/document.ts';
import { LedgerError } from '../domain/errors.ts';
import type { MoveNote } from '../domain/move-note.ts';
import type { Order } from '../domain/order.ts';
import { fingerprintOf, type SourceFingerprint } from '../domain/order-fingerprint.ts';
import { firstNumber, seriesOf } from '../domain/series.ts';
import type { Store } from '../domain/settings.ts';
import type { ClaimedWork } from '../domain/work.ts';
import type { HistoryEntry, NewDocument, NumberSource } from '../ledger/document-tables.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { Action } from '../planner/action.ts';
import { type Bound, isDocumentOf } from '../planner/bound.ts';
import { askSubmit, askSync, askWriteBack, documentWork } from './ask.ts';
import { openQuestion, withoutQuestion } from './buyer/question.ts';
import type { StepDeps } from './deps.ts';
import { laterSaleOf, toldOn } from './later-sale.ts';
import { awaitIssuer, isOfOtherIssuer } from './other-issuer.ts';
import { type Known, movedSince } from './planned-documents.ts';
import { isReused } from './read-bound.ts';

interface Planned {
  /** The work whose run read the order. */
  work: Pick<ClaimedWork, 'id' | 'token'>;
  store: Store;
  order: Order;
  /** When the order was read from the shop, and how often it had been saved before. */
  readAt: Date;
  since: number;
  /** What its id means, and what it was paid with. */
  bound: Bound;
  documents: readonly Known[];
  actions: readonly Action[];
}

/**
 * Writes the planner's word into the ledger in one transaction: the order as read, the decision, the document
 * with its number or its hold, and the work that follows. Of readings that overlap an older one changes nothing; nor does
 * one as new of a run that has lost its work since: whoever was given it reads the order later, whatever the clocks say.
 * Of an order whose id is another's only the decision and the hold are written. Documents may have moved since the planner saw them, and a refund that waits for an authorised factura is woken by
 * nobody: then it plans anew, and its last word is the answer.
 */
export async function applyPlan(
  deps: StepDeps,
  seen: Omit<Planned, 'actions'> & { plan(documents: readonly Known[]): readonly Action[] },
): Promise<readonly Action[]> {
  const { ledger, clock } = deps;
  const { store, order, bound } = seen;
  const now = clock.now();
  const key = keyOf(order);
  const first = seen.plan(seen.documents);
  return ledger.transaction(async (tables) => {
    const { id, token } = seen.work;
    const reading = {
      ...key,
      storeId: store.id,
      name: order.name,
      snapshot: withoutQuestion(order),
      sourceUpdatedAt: order.updatedAt,
      readAt: seen.readAt,
      ...{ since: seen.since, fingerprint: bound.fingerprint, paid: bound.paid },
    };
    const saved = bound.reused
      ? 'saved'
      : await tables.orders.save(reading, () => tables.work.holds(id, token));
    // Another run read the order at the same time, and nobody can say who of the two saw more: one more reading does.
    if (saved !== 'saved') await askSync(tables, { ...key, storeId: store.id }, later(now));
    if (saved === 'older') return first;
    if (bound.taken) await tables.questions.drop(key);
    // Where ours is the first, a factura made meanwhile is met when ours is made.
    const meets = seen.documents.length === 0 && first.some(makesFactura);
    const moved = meets ? null : await movedSince(tables, key, seen.documents);
    const planned: Planned = moved
      ? { ...seen, documents: moved, actions: seen.plan(moved) }
      : { ...seen, actions: first };
    const told = toldOn(planned.documents.filter(isDocumentOf(order)));
    const before = told && laterSaleOf((await tables.orders.get(key))?.decision);
    await tables.orders.decide(key, planned.actions.map(withoutBody), now);
    for (const action of planned.actions) {
      await applyAction(tables, planned, action, now);
    }
    if (told && before !== laterSaleOf(planned.actions)) await askWriteBack(tables, told, now);
    if (saved === 'saved' && !bound.reused) await writeAgain(tables, planned, now);
    const shadow = store.shadow?.store;
    if (shadow) await askSync(tables, { ...key, shop: shadow.shop, storeId: shadow.id }, now, null);
    return planned.actions;
  });
}

const later = (now: Date): Date => new Date(now.getTime() + 2_000);

const makesFactura = ({ kind, action }: Action): boolean => kind === 'factura' && action === 'emit';

const keyOf = ({ platform, shop, id }: Order) => ({ platform, shop, orderId: id });

async function applyAction(tables: Tables, planned: Planned, action: Action, now: Date): Promise<void> {
  const isCurrent = ({ kind, sourceId, state }: Document): boolean =>
    kind === action.kind && sourceId === action.identity.sourceId && state !== 'cancelled';
  const isOwn = isDocumentOf(planned.order);
  const current = planned.documents.find((one) => isCurrent(one) && isOwn(one));
  // What has its number wants none of a series, which may be another than its own by now.
  const takesNumber = action.action === 'emit' && (current?.secuencial ?? null) === null;
  const stopped = takesNumber ? await tables.sequences.stopped(seriesOf(planned.store, action.kind)) : null;
  const stop = stopped?.exhausted ? 'series-exhausted' : 'series-stopped';
  const { code, reason } = stopped === null ? action : { code: stop, reason: stopped.reason };
  const to = stopped === null ? target[action.action] : 'held';
  await openQuestion(tables, { store: planned.store, order: planned.order, action, now });
  const patch = { code, reason, charged: action.charged, total: action.document };
  // A document that is sent keeps the trace of what was sent (submit-document.ts).
  const note = to === 'held' ? { code, buyerReason: action.buyerReason, trace: action.trace } : { code };

  if (!current) {
    // What only a person can do about a sale is told beside its factura (later-sale.ts); a refund without a route is
    // a document of its own.
    const born = to === 'ready' || to === 'held' || (to === 'manual' && action.kind === 'nota-credito');
    if (!born) return;
    const created = await tables.documents.create({
      ...newDocument(planned, action, now),
      ...patch,
      note,
      state: to,
    });
    if (created) return follow(tables, created, now);
    // Somebody else created it a moment ago, perhaps of an older reading: the next sync sees it.
    const order = keyOf(planned.order);
    if ((await tables.documents.ofOrder(order)).some((one) => isCurrent(one) && isOwn(one)))
      return askSync(tables, { ...order, storeId: planned.store.id }, now);
    throw keyTaken(action);
  }
  if (to === null || !mayReplan(current, to)) return;
  // Also a nota de crédito that today's issuer may not make: its own may, under the number it has.
  const goesOn = to === 'ready' || code === 'other-issuer';
  if (goesOn && current.secuencial !== null && isOfOtherIssuer(current, planned.store))
    return awaitIssuer(tables, current, planned.store, now);
  // It leaves already; should its work ever have got lost, this is its way back.
  if (to === 'ready' && current.state === 'ready')
    return tables.work.ensure([documentWork('submit-document', current, now)]);
  if (to === current.state && reason === current.reason) return;
  // Its number will be of the series the store has now, which may be another than when it was first held.
  const from = current.secuencial === null && to !== 'cancelled' ? numberSource(planned, action) : {};
  const change = { to, patch: { ...patch, ...from }, note, now };
  const moved = await tables.documents.move(current.id, { from: [current.state], ...change });
  if (moved) await follow(tables, moved, now);
}

/** Where the planner's word leads a document; null leaves it where it is. */
const target: Record<Action['action'], 'ready' | 'held' | 'manual' | 'cancelled' | null> = {
  emit: 'ready',
  hold: 'held',
  manual: 'manual',
  nothing: 'cancelled',
  wait: null,
};

/** Only what has not left follows the planner; a rejected document at most when nothing is left to correct it for. */
function mayReplan({ state, secuencial }: Document, to: DocumentState): boolean {
  if (state === 'rejected') return to === 'cancelled';
  return state === 'held' || state === 'ready' || (state === 'manual' && secuencial === null);
}

async function follow(tables: Tables, document: Document, now: Date): Promise<void> {
  if (document.state === 'ready') await askSubmit(tables, document, now);
  else if (isReused(document)) return;
  // A hold that was dropped must not stand on the order for ever.
  else await askWriteBack(tables, document, now);
}

/** Which no plan that saw every document of the order and of its refunds' ids can come to: again, ever more seldom. */
function keyTaken({ key }: Action): LedgerError {
  return new LedgerError(
    'document-key-taken',
    'Otro documento ya ocupa la identidad de este; se vuelve a intentar.',
    `The document key ${key} is taken by a document that is not of this order; nothing was written.`,
  );
}

function newDocument(
  { store, order }: Planned,
  action: Action,
  now: Date,
): Omit<NewDocument, 'state' | 'code' | 'reason'> {
  return {
    ...action.identity,
    ...numberSource({ store }, action),
    storeId: store.id,
    orderId: order.id,
    orderName: order.name,
    fingerprint: sourceOf(order, action),
    account: store.account.id,
    keyHash: store.account.keyHash,
    codDoc: documentCodes[action.kind],
    charged: action.charged,
    total: action.document,
    now,
  };
}

function sourceOf(order: Order, { kind, identity }: Action): SourceFingerprint {
  const refund = kind === 'nota-credito' && order.refunds.find(({ id }) => id === identity.sourceId);
  return { ...fingerprintOf(order), ...(refund && { refundAt: refund.at }) };
}

function numberSource({ store }: Pick<Planned, 'store'>, { kind, key }: Action): NumberSource {
  const { codDoc: _codDoc, ...series } = seriesOf(store, kind);
  return { ...series, key, firstSecuencial: firstNumber(store, kind) };
}

/** The decision is kept for explanations; the body is made anew at sending time. */
function withoutBody({ body: _body, ...rest }: Action): unknown {
  return rest;
}

/** A shop that drops what we write is written to once in so long, however often it makes us read. */
const onceInMs = 24 * 3_600_000;

const cause = 'written again';

/**
 * An order that no longer bears the key of its authorised document, though it was written there: its shop was put back to a
 * backup, or somebody took it away. All that stands for the order is written once more.
 */
export async function writeAgain(
  tables: Pick<Tables, 'documents' | 'work'>,
  seen: { order: Order; documents: readonly Known[]; readAt: Date },
  now: Date,
): Promise<void> {
  for (const document of keysGone(seen)) {
    if (wasWrittenAgain(await tables.documents.history(document.id), now)) continue;
    await tables.documents.writtenAgain(document.id, { cause }, now);
    await askWriteBack(tables, document, now);
  }
}

/** Of several facturas the last one stands on the order. A reading that began before the key was written tells nothing. */
function keysGone({ order, documents, readAt }: Parameters<typeof writeAgain>[1]): Known[] {
  const isOwn = isDocumentOf(order);
  const current = documents.findLast((one) => one.kind === 'factura' && one.state !== 'cancelled');
  return documents.filter(
    (one) =>
      one.writtenBack === 'authorized' &&
      one.accessKey !== null &&
      !order.accessKeys.includes(one.accessKey) &&
      (one.kind !== 'factura' || one === current) &&
      Date.parse(one.updatedAt) < readAt.getTime() &&
      isOwn(one),
  );
}

const wasWrittenAgain = (history: readonly HistoryEntry[], now: Date): boolean =>
  history.some(
    ({ at, note }) => (note as MoveNote | null)?.cause === cause && now.getTime() - Date.parse(at) < onceInMs,
  );
