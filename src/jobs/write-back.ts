import { randomUUID } from 'node:crypto';
import { annulledWords, type Document, documentNumber, isReported } from '../domain/document.ts';
import { ShopError } from '../domain/errors.ts';
import { type ClaimedJob, done, orderSubject } from '../domain/job.ts';
import { creditRounding } from '../domain/money-policy.ts';
import { isSameOrder } from '../domain/order.ts';
import type { WrittenDocument } from '../domain/platform.ts';
import type { OrderRow } from '../ledger/schema.ts';
import { reportOutside } from './announce.ts';
import { laterSaleOf, reportedOn } from './apply-plan.ts';
import { isAsked, mayAsk } from './ask-buyer.ts';
import { again, type Handler, type HandlerResult, type JobDeps, unknownStoreOf } from './deps.ts';
import { enqueueSync } from './enqueue.ts';
import { isReused } from './prepare.ts';
import { whileHeld } from './verify-shop.ts';

/** Repeatable; it adds only, and only final states and those that need a person. */
export function writeBack(deps: JobDeps): Handler {
  return withOrderLock(deps, async (job, mayWrite) => {
    const document = await deps.ledger.documents.get(job.subject);
    if (!document || !isReported(document.state)) return done;
    const store = deps.storeOf(document.platform, document.shop);
    if (!store) return unknownStoreOf(deps, document);
    await reportOutside(deps, document);
    const held = await whileHeld(deps, document);
    if (held) return held;
    const shop = deps.shop(store);
    if (!shop || !store.writesBack) return done;
    // All documents of the order together: a dropped one must not replace a later one.
    const all = await deps.ledger.documents.ofOrder(document);
    const row = await deps.ledger.orders.get(document);
    if (!mayStandOn(row, document) || all.some(isReused)) {
      deps.log.info(
        { store: store.id, order: document.orderId },
        'The id is another order’s; nothing is written',
      );
      return done;
    }
    const documents = all.filter((one) => isReported(one.state) && mayStandOn(row, one));
    const later = laterSaleOf(row?.decision, documents);
    const written = [
      // First, because the factura after it counts.
      ...(later !== null && reportedOn(documents) ? [notice(document.orderId, later)] : []),
      ...(await Promise.all(documents.map((one) => toWritten(deps, one)))),
    ];
    const orderKey = row?.fingerprint?.key ?? null;
    const isKnownKey = async (key: string) => (await deps.ledger.documents.byAccessKey(key)) !== undefined;
    try {
      await shop.writeBack(document.orderId, written, { mayWrite, orderKey, isKnownKey });
    } catch (error) {
      if (!(error instanceof ShopError) || error.code !== 'order-id-reused') throw error;
      await enqueueSync(deps.ledger, document, deps.clock.now());
      return done;
    }
    await deps.ledger.documents.written(document.id, document.state, deps.clock.now());
    deps.log.info(
      { store: store.id, order: document.orderId, state: document.state },
      'Written back onto the order',
    );
    return done;
  });
}

/** The document is not of another order that had the id before. */
const mayStandOn = (row: OrderRow | undefined, { fingerprint }: Document): boolean =>
  !row?.fingerprint || !fingerprint || isSameOrder(row.fingerprint, fingerprint);

function notice(orderId: string, reason: string): WrittenDocument {
  const facts = { number: null, accessKey: null, authorizedAt: null, pdfUrl: null, xmlUrl: null };
  return { kind: 'factura', sourceId: orderId, state: 'manual', isNotice: true, ...facts, reason };
}

async function toWritten(
  deps: Pick<JobDeps, 'clock' | 'ledger' | 'links'>,
  document: Document,
): Promise<WrittenDocument> {
  const authorized = document.state === 'authorized';
  return {
    kind: document.kind,
    sourceId: document.sourceId,
    state: document.state,
    number: documentNumber(document),
    accessKey: document.accessKey,
    authorizedAt: document.authorizedAt,
    pageUrl: authorized ? deps.links.page(document.id, document.linkVersion) : null,
    pdfUrl: authorized ? deps.links.pdf(document.id, document.linkVersion) : null,
    xmlUrl: authorized ? deps.links.xml(document.id, document.linkVersion) : null,
    identificationUrl: await askingUrl(deps, document),
    reason: authorized ? (document.annulledAt ? annulledWords : roundingOf(document)) : document.reason,
  };
}

/** For an authorised nota de crédito that is a cent off the refund. */
const roundingOf = ({ kind, charged, total }: Document): string | null =>
  kind === 'nota-credito' ? creditRounding(charged, total) : null;

/** The page where the buyer of a held factura gives the identification; null where the buyer is not asked. */
async function askingUrl(
  { ledger, links, clock }: Pick<JobDeps, 'clock' | 'ledger' | 'links'>,
  document: Document,
): Promise<string | null> {
  const question = isAsked(document) ? await ledger.questions.get(document) : undefined;
  if (!question || !mayAsk(question, clock.now())) return null;
  return links.identification(document.id, new Date(question.expiresAt));
}

/** Longer than one call to a shop may take (two minutes) plus `sureMs`. */
const lockMs = 3 * 60_000;
const sureMs = 15_000;
const lookAgainMs = 1_000;

type OrderLockDeps = Pick<JobDeps, 'ledger' | 'clock'>;

/** A handler that writes onto an order; awaits `mayWrite` right before each write, which throws when the lock is lost. */
type OrderHandler = (job: ClaimedJob, mayWrite: () => Promise<void>) => Promise<HandlerResult>;

class OrderLockLost extends Error {
  constructor() {
    super('This run has lost the lock of the order it writes onto.');
    this.name = 'OrderLockLost';
  }
}

/** A shop keeps both of two parallel writes (WooCommerce 11.0.1). The lock is of the run, not of the job. */
function withOrderLock(deps: OrderLockDeps, handler: OrderHandler): Handler {
  const { ledger, clock } = deps;
  return async (job) => {
    const document = await ledger.documents.get(job.subject);
    if (!document) return done;
    const later = () => again(clock, lookAgainMs, 'the order is being written onto by another run');
    const lock = openLock(deps, document);
    if (!(await lock.take())) return later();
    try {
      return await handler(job, async () => {
        if (lock.isSure()) return;
        if (!(await ledger.jobs.holds(job.id, job.token)) || !(await lock.take())) throw new OrderLockLost();
      });
    } catch (error) {
      if (error instanceof OrderLockLost) return later();
      throw error;
    } finally {
      await lock.giveBack();
    }
  };
}

function openLock({ ledger, clock }: OrderLockDeps, document: Document) {
  const lock = { name: `write onto ${orderSubject(document)}`, holder: randomUUID() };
  let sureFrom = Number.NEGATIVE_INFINITY;
  return {
    /** False when another run has it. */
    async take(): Promise<boolean> {
      const now = clock.now();
      const taken = await ledger.locks.take({ ...lock, now, until: new Date(now.getTime() + lockMs) });
      // From before the question, whose answer may take long.
      sureFrom = taken ? now.getTime() : Number.NEGATIVE_INFINITY;
      return taken;
    },
    isSure() {
      const age = clock.now().getTime() - sureFrom;
      // Below 0 the clock was set back.
      return age >= 0 && age < sureMs;
    },
    giveBack: () => ledger.locks.giveBack(lock),
  };
}
