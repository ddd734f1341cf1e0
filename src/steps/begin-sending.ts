import { ecuadorDay, toServiceDate } from '../core/calendar.ts';
import type { Attempt, Document } from '../core/document.ts';
import type { IssuingKey, Store } from '../core/settings.ts';
import type { StepOutcome } from '../core/work.ts';
import type { NewAttempt } from '../ledger/document-tables.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { Trace } from '../planning/action.ts';
import { askFollowUp, askSync } from './ask.ts';
import type { StepDeps } from './deps.ts';
import { foresee } from './foreseen.ts';
import { serviceOf } from './issued.ts';
import { isVerified, mayLeave } from './older-ledger/check-series.ts';
import { isOlder } from './older-ledger/meet.ts';
import { awaitIssuer, isOfOtherIssuer } from './other-issuer.ts';
import { prepare } from './prepare.ts';
import { whileHeld } from './prove-shop.ts';
import { mayRepeat } from './repeat.ts';
import { answerLost } from './sentences.ts';
import { moveShown } from './show-move.ts';

/** The key a document leaves under. */
export type SendingKey = Omit<IssuingKey, 'gone'>;

/** A document on its way out. */
interface Sending {
  document: Document;
  store: Store;
  key: SendingKey;
  as: 'backlog' | 'probe';
}

/** What became of a document that was to leave. */
export type Begun =
  /** Its attempt is written; `left` as it stands now, `document` as it stood before. */
  | { kind: 'leaves'; document: Document; left: Document; attempt: Attempt; store: Store; key: SendingKey }
  | { kind: 'paused'; document: Document; key: SendingKey }
  | { kind: 'later'; at: Date; reason: string }
  | { kind: 'store-unknown'; document: Document }
  /** Its shop is held; what may have left already is followed to its end. */
  | { kind: 'held'; until: Extract<StepOutcome, { kind: 'again' }> }
  /** This process has not asked yet whether the service knows numbers of its series that the ledger does not. */
  | { kind: 'check-series'; document: Document; key: SendingKey }
  /** There was nothing to send, or what stood in the way is written. */
  | { kind: 'stays' };

const stays: Begun = { kind: 'stays' };

/**
 * All that is decided before a byte leaves, in one transaction: what is read stays true until the attempt (date, exact
 * body, total, buyer) is written with the move to `sending`. Whoever finds a document in `sending` later knows that it
 * may have left.
 */
export async function beginSending(
  deps: StepDeps,
  tables: Tables,
  documentId: string,
  as: Sending['as'],
): Promise<Begun> {
  const document = await tables.documents.get(documentId);
  if (document?.state === 'sending') return abandon(deps, tables, document);
  if (document?.state !== 'ready' && document?.state !== 'uncertain') return stays;
  const store = deps.storeOf(document.platform, document.shop);
  if (!store) return { kind: 'store-unknown', document };
  if (document.state === 'uncertain')
    return beginAgain(deps, tables, { document, store, as, key: serviceOf(deps, document, store) });
  const until = await whileHeld({ ledger: tables, clock: deps.clock }, document);
  if (until) return { kind: 'held', until };
  const { account } = store;
  // Nothing of it is stored anywhere, so nothing binds it to the key it was planned under.
  return beginFirst(deps, tables, { document, store, as, key: { account, keyHash: account.keyHash } });
}

/**
 * Maps with today's date; what can no longer be mapped goes back to held, keeping its number. So does everything of a
 * series whose ledger proved older than the service, until what it lost is known, and of one that is stopped for a number
 * conflict, as long as this process has not verified the series (older-ledger/check-series.ts).
 */
async function beginFirst(deps: StepDeps, tables: Tables, sending: Sending): Promise<Begun> {
  const { document, store } = sending;
  const now = deps.clock.now();
  if (isOfOtherIssuer(document, store)) {
    await awaitIssuer(tables, document, store, now);
    return stays;
  }
  const stop = await tables.sequences.stopped(document);
  if (stop && !stop.exhausted && (isOlder(stop) || !isVerified(deps, document))) {
    const patch = { code: 'series-stopped', reason: stop.reason };
    await moveShown(tables, document.id, {
      from: ['ready'],
      to: 'held',
      patch,
      note: { code: 'series-stopped' },
      now,
    });
    return stays;
  }
  const permit = await mayLeave(deps, tables, document);
  if (permit.kind === 'unasked') return { kind: 'check-series', document, key: sending.key };
  if (permit.kind === 'later') return permit;
  const prepared = await prepare(deps, tables, document, store);
  if (prepared.kind === 'send') return leave(tables, sending, prepared.draft, prepared.trace);
  if (prepared.kind === 'nothing') {
    // The order changed while nobody could tell whether this had left: it is looked at once more.
    await askSync(tables, document, now);
    return stays;
  }
  const { to, code, reason, buyerReason, trace } = prepared;
  await moveShown(tables, document.id, {
    from: ['ready'],
    to,
    patch: { code, reason },
    note: { code, buyerReason, trace },
    now,
  });
  return stays;
}

/**
 * Repeats the same number with the frozen content, under the key that sent it; only the date may change. With that key
 * gone the newest repeats it: the number is still the same, and the service or the tax authority refuses the second.
 */
async function beginAgain(deps: StepDeps, tables: Tables, sending: Sending): Promise<Begun> {
  const { document } = sending;
  const attempts = await tables.attempts.ofDocument(document.id);
  const now = deps.clock.now();
  const last = attempts.at(-1);
  const verdict = mayRepeat(document, attempts, now, deps.timings);
  if (!last || verdict.kind === 'no') {
    // Its key came to light since the repeat was asked for: it is asked about, not sent.
    await askFollowUp(tables, document, now);
    return stays;
  }
  if (verdict.kind === 'later')
    return { ...verdict, reason: 'waiting for the service to tell the lost answer' };
  const body = JSON.parse(last.body) as { emisor: { fecha_emision: string } };
  body.emisor.fecha_emision = toServiceDate(ecuadorDay(now));
  const { total, buyerId, nettedRefunds, ties, secuencial } = last;
  return leave(tables, sending, {
    documentId: document.id,
    issueDate: ecuadorDay(now),
    secuencial,
    body: JSON.stringify(body),
    total,
    buyerId,
    nettedRefunds,
    ties,
    now,
  });
}

/** `trace`: what a new mapping tells; a repeat's content is the first attempt's. */
async function leave(
  tables: Tables,
  { document, store, as, key }: Sending,
  draft: NewAttempt,
  trace?: Trace,
): Promise<Begun> {
  if (as === 'backlog' && (await tables.pauses.shuts(key.account.id, document.ambiente)))
    return { kind: 'paused', document, key };
  const { issueDate, total, now } = draft;
  const left = await tables.documents.move(document.id, {
    from: [document.state],
    known: document,
    to: 'sending',
    patch: { account: key.account.id, keyHash: key.keyHash, issueDate, total },
    note: { issueDate, ...(trace ? { trace } : {}) },
    now,
  });
  if (!left) return stays;
  const foreseenKey = await foresee(tables, left, draft);
  const attempt = await tables.attempts.add({ ...draft, foreseenKey });
  return { kind: 'leaves', document, left, attempt, store, key };
}

/** The holder of an earlier lease died with the POST possibly under way. */
async function abandon(deps: StepDeps, tables: Tables, document: Document): Promise<Begun> {
  const now = deps.clock.now();
  for (const attempt of await tables.attempts.ofDocument(document.id)) {
    if (attempt.outcome === 'open') await tables.attempts.end(attempt.id, { outcome: 'unknown', now });
  }
  const moved = await tables.documents.move(document.id, {
    from: ['sending'],
    to: 'uncertain',
    patch: { code: 'answer-lost', reason: answerLost(document) },
    note: { cause: 'the process that sent it died' },
    now,
  });
  if (moved) await askFollowUp(tables, moved, now);
  return stays;
}
