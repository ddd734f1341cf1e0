import { ecuadorDay } from '../core/calendar.ts';
import type { Attempt, Document } from '../core/document.ts';
import type { MoveNote } from '../core/move-note.ts';
import type { Account } from '../core/settings.ts';
import { done, type Step, type StepOutcome } from '../core/work.ts';
import type { ReprocessAnswer } from '../service/answers.ts';
import type { ServiceCalls } from '../service/client.ts';
import { pauseAccount } from './account-pause.ts';
import { askFollowUp, askSubmit } from './ask.ts';
import type { StepDeps } from './deps.ts';
import { isRevoked, serviceOf } from './issued.ts';
import { showMove } from './show-move.ts';
import { storeOfDocument } from './unknown-store.ts';

/**
 * Asks the service to hand a key that ended with an error to the tax authority again (spec, `POST
 * /api/comprobante/reprocesar`). The same key twice is harmless: at most one document can come of it. On another day
 * the authority would refuse its date (65): known not authorised, the number leaves anew with today's.
 */
export function reprocessDocument(deps: StepDeps): Step {
  return async (work) => {
    const document = await deps.ledger.documents.get(work.subject);
    if (document?.state !== 'processing') return done;
    const store = storeOfDocument(deps, document);
    const attempts = await deps.ledger.attempts.ofDocument(document.id);
    const ended = attempts.findLast(({ outcome }) => outcome === 'error');
    // Reprocessed already: what comes of it is being asked.
    if (!ended?.accessKey || attempts.some(({ outcome }) => outcome === 'reprocessed')) return done;
    if (document.code === 'reprocess' && ended.issueDate !== ecuadorDay(deps.clock.now()))
      return sendAnew(deps, document);
    const key = serviceOf(deps, document, store);
    const id = attempts.findLast(
      (one) => one.accessKey === ended.accessKey && one.serviceId !== null,
    )?.serviceId;
    const answer = await handOver(key.account, key.calls(work), {
      ...document,
      accessKey: ended.accessKey,
      id,
    });
    switch (answer.kind) {
      case 'reprocessing':
        return awaitAgain(deps, document, ended, deps.timings.followUp[0] ?? 0);
      case 'refused':
        // 409: it did not end with an error (assumption A13); 402: credits are missing, no document is to blame.
        if (answer.status === 409) return awaitAgain(deps, document, ended, 0);
        if (answer.status === 402) return pauseAccount(deps, key.account, 'credits');
        return giveUp(deps, document, answer.errors);
      case 'not-found':
        return giveUp(deps, document, []);
      case 'throttled':
        return later(deps, answer.retryAfterMs, 'the service asks to slow down');
      case 'unauthorized':
        return isRevoked(deps, key)
          ? later(deps, 0, 'an older API key was revoked')
          : pauseAccount(deps, key.account, 'api-key');
      case 'unknown':
        throw new Error(`The key could not be reprocessed yet: ${answer.reason}`);
    }
  };
}

/**
 * By the account's route; where the service does not know the current one (404 in no words of its own), by the historic
 * one, which asks for the number that its answer to the emission gave.
 */
async function handOver(
  { reprocess }: Pick<Account, 'reprocess'>,
  calls: ServiceCalls,
  { accessKey, ruc, id }: { accessKey: string; ruc: string; id: number | null | undefined },
): Promise<ReprocessAnswer> {
  const historic = (id: number) =>
    calls.reprocesarComprobanteHistorico(accessKey, { ruc, id_comprobante: id });
  if (reprocess.route === 'historic' && id != null) return historic(id);
  const answer = await calls.reprocesarComprobante(accessKey);
  const isRouteUnknown = answer.kind === 'unknown' && answer.status === 404;
  return isRouteUnknown && id != null ? historic(id) : answer;
}

const later = (deps: StepDeps, waitMs: number, reason: string): StepOutcome => ({
  kind: 'again',
  dueAt: new Date(deps.clock.now().getTime() + waitMs),
  reason,
});

/** The key's fate is open again; a question or a webhook tells it. */
async function awaitAgain(
  deps: StepDeps,
  document: Document,
  ended: Attempt,
  waitMs: number,
): Promise<StepOutcome> {
  const now = deps.clock.now();
  await deps.ledger.transaction(async (tables) => {
    const moved = await tables.documents.move(document.id, {
      from: ['processing'],
      to: 'processing',
      patch: { code: null, reason: null },
      note: { cause: 'reprocessed', accessKey: ended.accessKey },
      now,
    });
    if (!moved) return;
    await tables.attempts.reprocessed(ended.id);
    await askFollowUp(tables, moved, new Date(now.getTime() + waitMs));
  });
  return done;
}

async function sendAnew(deps: StepDeps, document: Document): Promise<StepOutcome> {
  const now = deps.clock.now();
  await deps.ledger.transaction(async (tables) => {
    const ended = await tables.documents.move(document.id, {
      from: ['processing'],
      to: 'rejected',
      note: { cause: 'known not authorised' },
      now,
    });
    if (!ended) return;
    const patch = { accessKey: null, code: null, reason: null };
    const note: MoveNote = { cause: 'leaves anew with today’s date' };
    const ready = await tables.documents.move(document.id, {
      from: ['rejected'],
      to: 'ready',
      patch,
      note,
      now,
    });
    if (ready) await askSubmit(tables, ready, now);
  });
  return done;
}

/** The service will not: the error stands, and the reason says already what to fix. */
async function giveUp(deps: StepDeps, document: Document, errors: string[]): Promise<StepOutcome> {
  const now = deps.clock.now();
  const known = document.code === 'number-registered';
  await showMove(deps, document.id, {
    from: ['processing'],
    to: known ? 'manual' : 'rejected',
    patch: { code: known ? document.code : 'not-authorised' },
    note: { cause: 'not reprocessed', errors },
    now,
  });
  return done;
}
