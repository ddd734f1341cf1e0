import { ecuadorDay, toServiceDate } from '../core/calendar.ts';
import type { Attempt, Document } from '../core/document.ts';
import type { Store } from '../core/settings.ts';
import { done, type Step, type StepOutcome } from '../core/work.ts';
import type { NewAttempt } from '../ledger/document-tables.ts';
import { askFollowUp, askWriteBack } from './ask.ts';
import { type StepDeps, storeOfDocument } from './deps.ts';
import { takeAnswer } from './emission-answer.ts';
import { type Prepared, prepare } from './prepare.ts';
import { mayRepeat } from './repeat.ts';
import { answerLost } from './sentences.ts';

/**
 * Sends one document. The attempt (date, exact body, total, buyer) is written together with the move to
 * `sending` before a single byte leaves; whoever finds a document in `sending` later knows that it may have left.
 */
export function submitDocument(deps: StepDeps): Step {
  return async (work) => {
    const document = await deps.ledger.documents.get(work.subject);
    const store = document && storeOfDocument(deps, document);
    if (!document || !store) return done;
    switch (document.state) {
      case 'ready':
        return sendFirst(deps, document, store);
      case 'sending':
        return abandon(deps, document);
      case 'uncertain':
        return sendAgain(deps, document, store);
      default:
        return done;
    }
  };
}

/** Maps with today's date and sends; what can no longer be mapped goes back to held, keeping its number. */
async function sendFirst(deps: StepDeps, document: Document, store: Store): Promise<StepOutcome> {
  const prepared = await prepare(deps, document, store);
  if (prepared.kind === 'nothing') return done;
  if (prepared.kind === 'send') {
    const { draft, trace, stillTrue } = prepared;
    return send(deps, document, store, draft, { trace, stillTrue });
  }
  const { to, code, reason, buyerReason, trace } = prepared;
  const now = deps.clock.now();
  const held = await deps.ledger.documents.move(document.id, {
    from: ['ready'],
    to,
    patch: { code, reason },
    note: { code, buyerReason, trace },
    now,
  });
  if (held) await askWriteBack(deps.ledger, held, now);
  return done;
}

/** Repeats the same number with the frozen content; only the date may change. */
async function sendAgain(deps: StepDeps, document: Document, store: Store): Promise<StepOutcome> {
  const attempts = await deps.ledger.attempts.ofDocument(document.id);
  const now = deps.clock.now();
  const last = attempts.at(-1);
  const verdict = mayRepeat(document, attempts, now, deps.timings);
  if (!last || verdict.kind === 'no') return done;
  if (verdict.kind === 'later')
    return { kind: 'again', dueAt: verdict.at, reason: 'waiting for the service to tell the lost answer' };
  const body = JSON.parse(last.body) as { emisor: { fecha_emision: string } };
  body.emisor.fecha_emision = toServiceDate(ecuadorDay(now));
  const { total, buyerId, nettedRefunds, ties, secuencial } = last;
  return send(deps, document, store, {
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
  document: Document,
  store: Store,
  draft: NewAttempt,
  fresh?: Pick<Extract<Prepared, { kind: 'send' }>, 'trace' | 'stillTrue'>,
): Promise<StepOutcome> {
  const attempt = await deps.ledger.transaction(async (tables): Promise<Attempt | 'outdated' | undefined> => {
    if (fresh && !(await fresh.stillTrue(tables))) return 'outdated';
    const patch = { issueDate: draft.issueDate, total: draft.total };
    const move = {
      from: [document.state],
      to: 'sending' as const,
      patch,
      note: { issueDate: draft.issueDate, ...(fresh ? { trace: fresh.trace } : {}) },
      now: draft.now,
    };
    const moved = await tables.documents.move(document.id, move);
    return moved ? tables.attempts.add(draft) : undefined;
  });
  if (!attempt) return done;
  if (attempt === 'outdated') {
    const reason = 'another nota de crédito of the same factura left meanwhile';
    return { kind: 'again', dueAt: deps.clock.now(), reason };
  }
  const calls = deps.service(store.account, true);
  const answer = await (document.kind === 'factura'
    ? calls.emitirFactura(attempt.body)
    : calls.emitirNotaCredito(attempt.body));
  return takeAnswer(deps, { document, store, attempt, answer });
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
