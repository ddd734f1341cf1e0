import { ecuadorDay, toServiceDate } from '../core/calendar.ts';
import type { Attempt, Document } from '../core/document.ts';
import type { Account, IssuingKey, Store } from '../core/settings.ts';
import { type ClaimedWork, done, type Step, type StepOutcome } from '../core/work.ts';
import type { NewAttempt } from '../ledger/document-tables.ts';
import { probeWait } from './account-pause.ts';
import { askFollowUp, askSync } from './ask.ts';
import { type StepDeps, storeOfDocument } from './deps.ts';
import { takeAnswer } from './emission-answer.ts';
import { serviceOf } from './issued.ts';
import { type Prepared, prepare } from './prepare.ts';
import { mayRepeat } from './repeat.ts';
import { answerLost } from './sentences.ts';
import { showMove } from './show-move.ts';

/**
 * Sends one document. The attempt (date, exact body, total, buyer) is written together with the move to
 * `sending` before a single byte leaves; whoever finds a document in `sending` later knows that it may have left.
 */
export function submitDocument(deps: StepDeps): Step {
  return (work) => submit(deps, work.subject, work, 'backlog');
}

/**
 * The same for one document by its id, paid for by the slot of `work`.
 * @param as a document of the backlog stays where it is while its account is paused; a probe goes on.
 */
export async function submit(
  deps: StepDeps,
  documentId: string,
  work: ClaimedWork | null,
  as: 'backlog' | 'probe',
): Promise<StepOutcome> {
  const document = await deps.ledger.documents.get(documentId);
  const store = document && storeOfDocument(deps, document);
  if (!document || !store) return done;
  const { account } = store;
  switch (document.state) {
    case 'ready':
      // Nothing of it is stored anywhere, so nothing binds it to the key it was planned under.
      return sendFirst(deps, { document, store, work, as, key: { account, keyHash: account.keyHash } });
    case 'sending':
      return abandon(deps, document);
    case 'uncertain':
      return sendAgain(deps, { document, store, work, as, key: serviceOf(deps, document, store) });
    default:
      return done;
  }
}

interface Sending {
  document: Document;
  /** The key it leaves under. */
  key: Omit<IssuingKey, 'gone'>;
  store: Store;
  work: ClaimedWork | null;
  as: 'backlog' | 'probe';
}

/** Maps with today's date and sends; what can no longer be mapped goes back to held, keeping its number. */
async function sendFirst(deps: StepDeps, sending: Sending): Promise<StepOutcome> {
  const { document, store } = sending;
  const prepared = await prepare(deps, document, store);
  if (prepared.kind === 'nothing') {
    // The order changed while nobody could tell whether this had left: it is looked at once more.
    await askSync(deps.ledger, document, deps.clock.now());
    return done;
  }
  if (prepared.kind === 'send') {
    const { draft, trace, stillTrue } = prepared;
    return send(deps, sending, draft, { trace, stillTrue });
  }
  const { to, code, reason, buyerReason, trace } = prepared;
  const now = deps.clock.now();
  await showMove(deps, document.id, {
    from: ['ready'],
    to,
    patch: { code, reason },
    note: { code, buyerReason, trace },
    now,
  });
  return done;
}

/**
 * Repeats the same number with the frozen content, under the key that sent it; only the date may change. With that key
 * gone the newest repeats it: the number is still the same, and the service or the tax authority refuses the second.
 */
async function sendAgain(deps: StepDeps, sending: Sending): Promise<StepOutcome> {
  const { document } = sending;
  const attempts = await deps.ledger.attempts.ofDocument(document.id);
  const now = deps.clock.now();
  const last = attempts.at(-1);
  const verdict = mayRepeat(document, attempts, now, deps.timings);
  if (!last || verdict.kind === 'no') {
    // Its key came to light since the repeat was asked for: it is asked about, not sent.
    await askFollowUp(deps.ledger, document, now);
    return done;
  }
  if (verdict.kind === 'later')
    return { kind: 'again', dueAt: verdict.at, reason: 'waiting for the service to tell the lost answer' };
  const body = JSON.parse(last.body) as { emisor: { fecha_emision: string } };
  body.emisor.fecha_emision = toServiceDate(ecuadorDay(now));
  const { total, buyerId, nettedRefunds, ties, secuencial } = last;
  return send(deps, sending, {
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

/** With what a new mapping knows; a repeat's content is the first attempt's. */
async function send(
  deps: StepDeps,
  { document, store, work, as, key }: Sending,
  draft: NewAttempt,
  fresh?: Pick<Extract<Prepared, { kind: 'send' }>, 'trace' | 'stillTrue'>,
): Promise<StepOutcome> {
  type Begun = { moved: Document; attempt: Attempt } | 'outdated' | 'paused' | undefined;
  const begun = await deps.ledger.transaction(async (tables): Promise<Begun> => {
    if (as === 'backlog' && (await tables.pauses.shuts(key.account.id, document.ambiente))) return 'paused';
    if (fresh && !(await fresh.stillTrue(tables))) return 'outdated';
    const issuer = { account: key.account.id, keyHash: key.keyHash };
    const patch = { ...issuer, issueDate: draft.issueDate, total: draft.total };
    const move = {
      from: [document.state],
      known: document,
      to: 'sending' as const,
      patch,
      note: { issueDate: draft.issueDate, ...(fresh ? { trace: fresh.trace } : {}) },
      now: draft.now,
    };
    const moved = await tables.documents.move(document.id, move);
    return moved && { moved, attempt: await tables.attempts.add(draft) };
  });
  if (!begun) return done;
  if (begun === 'paused') return waitOut(deps, document, key.account);
  if (begun === 'outdated') {
    const reason = 'another nota de crédito of the same factura left meanwhile';
    return { kind: 'again', dueAt: deps.clock.now(), reason };
  }
  const { attempt, moved } = begun;
  const calls = deps.service(key.account, work, key.keyHash);
  const answer = await (document.kind === 'factura'
    ? calls.emitirFactura(attempt.body)
    : calls.emitirNotaCredito(attempt.body));
  return takeAnswer(deps, { document, left: moved, store, key, attempt, answer });
}

/** The dispatcher passes over the paused account's lanes; a store that changed accounts stands in another's. */
function waitOut(deps: StepDeps, document: Document, account: Account): StepOutcome {
  const reason = 'its account is paused';
  if (document.account === account.id) return { kind: 'put-back', reason };
  return { kind: 'again', dueAt: new Date(deps.clock.now().getTime() + probeWait(deps, 0)), reason };
}

/** The holder of an earlier lease died with the POST possibly under way. */
async function abandon(deps: StepDeps, document: Document): Promise<StepOutcome> {
  const now = deps.clock.now();
  await deps.ledger.transaction(async (tables) => {
    for (const attempt of await tables.attempts.ofDocument(document.id)) {
      if (attempt.outcome === 'open') await tables.attempts.end(attempt.id, { outcome: 'unknown', now });
    }
    const moved = await tables.documents.move(document.id, {
      from: ['sending'],
      to: 'uncertain',
      patch: {
        code: 'answer-lost',
        reason: answerLost(document),
      },
      note: { cause: 'the process that sent it died' },
      now,
    });
    if (moved) await askFollowUp(tables, moved, now);
  });
  return done;
}
