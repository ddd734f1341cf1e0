import {
  type Document,
  type DocumentState,
  documentCodes,
  isAuthorisedFactura,
  type MoveNote,
} from '../domain/document.ts';
import { IntegrityError } from '../domain/errors.ts';
import type { ClaimedJob } from '../domain/job.ts';
import { fingerprintOf, type Order, type SourceFingerprint } from '../domain/order.ts';
import { firstNumber, type Store, seriesOf } from '../domain/settings.ts';
import type { HistoryEntry, NewDocument, NumberSource } from '../ledger/documents.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { Action, Relative } from '../planner/action.ts';
import { type Bound, isDocumentOf } from '../planner/eligibility.ts';
import { openQuestion, withoutQuestion } from './ask-buyer.ts';
import type { JobDeps } from './deps.ts';
import { documentJob, enqueueDocument, enqueueSync } from './enqueue.ts';
import {
  ancestorsOf,
  awaitIssuer,
  isOfOtherIssuer,
  isReused,
  type Known,
  movedSince,
  relativesOf,
  wakeRelatives,
} from './prepare.ts';

interface Planned {
  job: Pick<ClaimedJob, 'id' | 'token'>;
  store: Store;
  order: Order;
  /** When the order was read, and how often it had been saved before. */
  readAt: Date;
  since: number;
  bound: Bound;
  documents: readonly Known[];
  actions: readonly Action[];
}

/** One transaction. An older reading, or a run that lost its job, changes nothing. */
export async function applyPlan(
  deps: Pick<JobDeps, 'clock' | 'ledger'>,
  seen: Omit<Planned, 'actions'> & {
    relatives: readonly Relative[];
    /** As the last reading left it; null before the first. */
    seenByRelatives: Relative | null;
    plan(documents: readonly Known[], relatives: readonly Relative[]): readonly Action[];
  },
): Promise<readonly Action[]> {
  const { ledger, clock } = deps;
  const { store, order, bound } = seen;
  const now = clock.now();
  const key = keyOf(order);
  const first = seen.plan(seen.documents, seen.relatives);
  return ledger.transaction(async (tables) => {
    const { id, token } = seen.job;
    const reading = {
      ...key,
      storeId: store.id,
      name: order.name,
      snapshot: withoutQuestion(order),
      sourceUpdatedAt: order.updatedAt,
      readAt: seen.readAt,
      since: seen.since,
      fingerprint: bound.fingerprint,
      paid: bound.paid,
    };
    const saved = bound.reused
      ? 'saved'
      : await tables.orders.save(reading, () => tables.jobs.holds(id, token));
    // Another run read the order at the same time: it is read once more.
    if (saved !== 'saved') await enqueueSync(tables, { ...key, storeId: store.id }, later(now));
    if (saved === 'older') return first;
    if (bound.taken) await tables.questions.drop(key);
    // A first factura needs no check: creating it finds one that was created meanwhile.
    const isNewFactura = seen.documents.length === 0 && first.some(makesFactura);
    const moved = isNewFactura ? null : await movedSince(tables, key, seen.documents);
    // The orders of one tree are planned one after the other.
    await tables.orders.lock((await ancestorsOf(tables, order)).rows.at(-1) ?? key);
    const relatives = await relativesOf(tables, order);
    const isSame = !moved && JSON.stringify(relatives) === JSON.stringify(seen.relatives);
    const planned: Planned = isSame
      ? { ...seen, actions: first }
      : {
          ...seen,
          documents: moved ?? seen.documents,
          actions: seen.plan(moved ?? seen.documents, relatives),
        };
    const reported = reportedOn(planned.documents.filter(isDocumentOf(order)));
    const before = reported && laterSaleOf((await tables.orders.get(key))?.decision);
    await tables.orders.decide(key, planned.actions.map(withoutBody), now);
    for (const action of planned.actions) {
      await applyAction(tables, planned, action, now);
    }
    if (reported && before !== laterSaleOf(planned.actions))
      await enqueueDocument(tables, 'write-back', reported, now);
    if (saved === 'saved' && !bound.reused) await writeAgain(tables, planned, now);
    await wakeRelatives(tables, order, relatives, { before: seen.seenByRelatives, storeId: store.id, now });
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
  // A document that has its number needs none of the series.
  const takesNumber = action.action === 'emit' && (current?.secuencial ?? null) === null;
  const stopped = takesNumber ? await tables.sequences.stopped(seriesOf(planned.store, action.kind)) : null;
  const stop = stopped?.exhausted ? 'series-exhausted' : 'series-stopped';
  const { code, reason } = stopped === null ? action : { code: stop, reason: stopped.reason };
  const to = stopped === null ? target[action.action] : 'held';
  await openQuestion(tables, { store: planned.store, order: planned.order, action, now });
  const patch = { code, reason, charged: action.charged, total: action.document };
  const note = to === 'held' ? { code, buyerReason: action.buyerReason, trace: action.trace } : { code };

  if (!current) {
    // What a person must do about a sale is written beside its factura (`laterSaleOf`); a refund gets a document.
    const born = to === 'ready' || to === 'held' || (to === 'manual' && action.kind === 'nota-credito');
    if (!born) return;
    const created = await tables.documents.create({
      ...newDocument(planned, action, now),
      ...patch,
      note,
      state: to,
    });
    if (created) return follow(tables, created, now);
    // Another run created it a moment ago, perhaps from an older reading: the next sync sees it.
    const order = keyOf(planned.order);
    if ((await tables.documents.ofOrder(order)).some((one) => isCurrent(one) && isOwn(one)))
      return enqueueSync(tables, { ...order, storeId: planned.store.id }, now);
    throw keyTaken(action);
  }
  if (to === null || !mayReplan(current, to)) return;
  // Also a nota de crédito that the store's issuer may not make now: its own issuer may.
  const goesOn = to === 'ready' || code === 'other-issuer';
  if (goesOn && current.secuencial !== null && isOfOtherIssuer(current, planned.store))
    return awaitIssuer(tables, current, planned.store, now);
  if (to === 'ready' && current.state === 'ready')
    return tables.jobs.ensure([documentJob('submit-document', current, now)]);
  if (to === current.state && reason === current.reason) return;
  // Its number will be of the series the store has now.
  const from = current.secuencial === null && to !== 'cancelled' ? numberSource(planned, action) : {};
  const change = { to, patch: { ...patch, ...from }, note, now };
  const moved = await tables.documents.move(current.id, { from: [current.state], ...change });
  if (moved) await follow(tables, moved, now);
}

/** The state an action leads to; null: the document stays as it is. */
const target: Record<Action['action'], 'ready' | 'held' | 'manual' | 'cancelled' | null> = {
  emit: 'ready',
  hold: 'held',
  manual: 'manual',
  nothing: 'cancelled',
  wait: null,
};

/** The planner moves only what was not sent, and cancels a rejected document of which nothing is left. */
function mayReplan({ state, secuencial }: Document, to: DocumentState): boolean {
  if (state === 'rejected') return to === 'cancelled';
  return state === 'held' || state === 'ready' || (state === 'manual' && secuencial === null);
}

async function follow(tables: Tables, document: Document, now: Date): Promise<void> {
  if (document.state === 'ready') await enqueueDocument(tables, 'submit-document', document, now);
  else if (isReused(document)) return;
  else await enqueueDocument(tables, 'write-back', document, now);
}

/** Cannot happen where the plan saw every document of the order and of its refunds' ids; the job is tried again. */
function keyTaken({ key }: Action): IntegrityError {
  return new IntegrityError('busy-elsewhere', { why: 'order', key });
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

/** The decision is stored for `explain`; the body is made at sending time. */
const withoutBody = ({ body: _body, ...rest }: Action): unknown => rest;

const onceInMs = 24 * 3_600_000;

const cause = 'written again';

/** Writes again onto an order that lost the key of its authorised document, for instance by a restore of its shop. */
export async function writeAgain(
  tables: Pick<Tables, 'documents' | 'jobs'>,
  seen: { order: Order; documents: readonly Known[]; readAt: Date },
  now: Date,
): Promise<void> {
  for (const document of keysGone(seen)) {
    if (wasWrittenAgain(await tables.documents.history(document.id), now)) continue;
    await tables.documents.writtenAgain(document.id, { cause }, now);
    await enqueueDocument(tables, 'write-back', document, now);
  }
}

/** Of several facturas the last one counts. A reading from before the key was written does not count. */
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

/** In Spanish: what a person must do after an edit that added to the order, or a deleted refund with a nota de crédito. */
export function laterSaleOf(decision: unknown, documents: readonly Document[] = []): string | null {
  if (!Array.isArray(decision)) return null;
  // The first action is about the sale as it was invoiced.
  const later = (decision as Pick<Action, 'kind' | 'action' | 'code' | 'reason'>[])
    .slice(1)
    .filter(
      ({ kind, action, code }) => action === 'manual' && (kind === 'factura' || code === 'refund-deleted'),
    )
    .map(({ reason }) => reason)
    .filter((reason) => !documents.some((document) => document.reason === reason));
  return later.length > 0 ? later.join(' ') : null;
}

export function reportedOn(documents: readonly Document[]): Document | undefined {
  return documents.find(isAuthorisedFactura);
}
