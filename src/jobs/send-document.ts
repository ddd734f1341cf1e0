import { z } from 'zod';
import { ecuadorDay } from '../domain/clock.ts';
import { type Document, statesUnderWay } from '../domain/document.ts';
import { type ClaimedJob, done, type JobHandler, type JobOutcome } from '../domain/job.ts';
import type { EventOf, Sending } from '../protocol/events.ts';
import { issuerOf, type JobDeps, serviceOf } from './deps.ts';
import { checkAnnounced, placeOf } from './older-ledger/lost-documents.ts';
import { isOfOtherIssuer, isOfTrials } from './prepare.ts';
import { handleEvent, type Observe } from './sending/handle-event.ts';
import { foresee, foreseeLost, keyNames, namedKey, outcomeOf } from './sending/state.ts';
import { storeOfDocument, unknownStoreOf } from './unknown-here.ts';
import { lookForAnnulment } from './verify-document.ts';
import { whileHeld } from './verify-shop.ts';

/** Asks the service about a document that has not ended, slower and slower: webhooks get lost (src/protocol/lost.ts). */
export function followUp(deps: JobDeps): JobHandler {
  const isDue: Observe = async (tables, document, attempts) => {
    if (statesUnderWay.includes(document.state)) storeOfDocument(deps, document);
    const lost = await foreseeLost(tables, document, attempts);
    const foreseen = lost.flatMap(({ n, accessKey, foreseenKey }) =>
      accessKey === null && foreseenKey !== null ? [{ n, accessKey: foreseenKey }] : [],
    );
    return { event: { kind: 'due', job: 'follow-up', foreseen } };
  };
  return async (claimed) =>
    (await handleEvent(deps, claimed.subject, isDue, { job: 'follow-up', claimed })).outcome;
}

/** Has the service hand a key that ended with an error to the authority again (spec, `POST /api/comprobante/reprocesar`). */
export function reprocessDocument(deps: JobDeps): JobHandler {
  const isDue = { kind: 'due', job: 'reprocess' } as const;
  return async (claimed) =>
    (await handleEvent(deps, claimed.subject, isDue, { job: 'reprocess', claimed })).outcome;
}

/** What the service's webhook endpoint stores of an event (spec, body fields). */
const eventPayload = z.object({
  account: z.string(),
  claveacceso: z.string(),
  tipo_comprobante: z.string(),
  numero: z.string(),
  ambiente: z.number(),
  ruc_emisor: z.string(),
  state: z.enum(['authorized', 'error']).nullable().default(null),
  fechaAutorizacion: z.string().nullable().default(null),
  errors: z
    .array(
      z.object({
        identificador: z.string().nullable(),
        mensaje: z.string(),
        informacionAdicional: z.string().nullable(),
        tipo: z.string().nullable(),
      }),
    )
    .default([]),
});

/**
 * A signed event of the service. Its document is found by the access key of an attempt, else by RUC, ambiente, type and
 * number: the event may be faster than the answer to the POST.
 */
export function settleDocument(deps: JobDeps): JobHandler {
  return async (claimed) => {
    const event = eventPayload.parse(claimed.payload);
    const document = await documentOf(deps, event.claveacceso);
    const { account, claveacceso, state } = event;
    if (!document && state !== 'error' && (await checkAnnounced(deps, account, claveacceso))) return done;
    if (!document || !speaksFor(deps, event.account, document)) {
      deps.log.info(
        { account: event.account, number: event.numero },
        'A service event about a document that is not of this account was ignored',
      );
      return done;
    }
    deps.joinTrace(document);
    const notified: EventOf<'notified'> = {
      kind: 'notified',
      key: namedKey(document, event.claveacceso),
      said: state === null ? null : outcomeOf({ ...event, state }),
      isOfIssuer: issuerOf(deps, document)?.account.id === event.account,
      tries: claimed.attempts,
    };
    return (await handleEvent(deps, document.id, notified, { claimed })).outcome;
  };
}

/** Whether an account may report on a document: it issued it, has the key that issued it, or is its store's account today. */
function speaksFor(deps: JobDeps, account: string, document: Document): boolean {
  const { platform, shop, keyHash } = document;
  if (document.account === account || deps.storeOf(platform, shop)?.account.id === account) return true;
  return deps.accounts.get(account)?.keys.some((key) => key.keyHash === keyHash) ?? false;
}

/** The document that has the key, if the key names it, else the one of the key's number. */
async function documentOf({ ledger }: JobDeps, accessKey: string): Promise<Document | undefined> {
  const matching = await ledger.documents.byAccessKey(accessKey);
  if (matching && keyNames(matching, accessKey)) return matching;
  const { series, secuencial } = placeOf(accessKey);
  return ledger.documents.byNumber(series, secuencial);
}

/** Sends one document: the attempt is written, then the POST leaves, then its answer is written. */
export function submitDocument(deps: JobDeps): JobHandler {
  return (claimed) => submit(deps, claimed.subject, claimed, 'backlog');
}

/** `as`: a document of the backlog does not leave while its account is paused; a probe does. */
export async function submit(
  deps: JobDeps,
  documentId: string,
  claimed: ClaimedJob | null,
  as: Sending['as'],
): Promise<JobOutcome> {
  const slower = await lookForAnnulment(deps, documentId);
  if (slower) return slower;
  const run = { job: claimed && ('submit' as const), claimed };
  return (await handleEvent(deps, documentId, isDue(deps, as), run)).outcome;
}

/** The event of a due `submit`: with store, issuer and key of the document. */
export const isDue =
  (deps: JobDeps, as: Sending['as']): Observe =>
  async (tables, document, _attempts, now) => {
    const due = (sending: Omit<Sending, 'as'>) =>
      ({ kind: 'due', job: 'submit', sending: { as, ...sending } }) as const;
    const isNew = document.state === 'ready';
    if (!isNew && document.state !== 'uncertain')
      return { event: due({ issuer: 'same', foreseenKey: null }) };
    const store = deps.storeOf(document.platform, document.shop);
    if (!store) {
      // A probe takes another document instead.
      if (as === 'probe') return done;
      throw unknownStoreOf(deps, document);
    }
    // A document that may have left already goes on whatever became of its shop.
    const until = isNew && (await whileHeld({ ledger: tables, clock: { now: () => now } }, document));
    if (until) return until;
    const { account } = store;
    // A new document may leave under any key. A repeat leaves under the key that sent it, or if that is gone under the
    // newest: the service or the authority refuses the second one.
    const key = isNew ? { account, keyHash: account.keyHash } : serviceOf(deps, document, store);
    const isOther = isNew && isOfOtherIssuer(document, store);
    const issuer = !isOther ? 'same' : isOfTrials(document, store) ? 'trial' : 'other';
    const secuencial = document.secuencial ?? '';
    const issueDate = ecuadorDay(now);
    const issued = { ...document, account: key.account.id };
    const foreseenKey = await foresee(tables, issued, { issueDate, secuencial });
    return { event: due({ issuer, foreseenKey }), leaves: { store, key } };
  };
