import { z } from 'zod';
import { ecuadorDay } from '../domain/clock.ts';
import { type Document, statesUnderWay } from '../domain/document.ts';
import { done } from '../domain/job.ts';
import type { EventOf, Permit, Sending } from '../protocol/events.ts';
import { rules } from '../protocol/rules.ts';
import { permitOf } from '../protocol/send.ts';
import {
  type Handler,
  type HandlerResult,
  issuerOf,
  type JobDeps,
  serviceOf,
  unknownStoreOf,
} from './deps.ts';
import { foresee, foreseeLost, keyNames, namedKey } from './load-state.ts';
import { checkAnnounced, placeOf } from './older-ledger/lost-documents.ts';
import { isOfOtherIssuer, isOfTrials, otherIssuerReason, prepare } from './prepare.ts';
import { outcomeOf } from './requests.ts';
import { type Observe, type Read, type Run, runProtocol } from './run-protocol.ts';
import { lookForAnnulment } from './verify-document.ts';
import { whileHeld } from './verify-shop.ts';

/** The attempt is stored before the POST is made, so that a crash at any point shows it. */
export const sendDocument =
  (deps: JobDeps): Handler =>
  (claimed) =>
    send(deps, claimed.subject, { job: 'submit', claimed }, 'backlog');

/** Sends a document although its account is paused. */
export const sendProbe = (deps: JobDeps, documentId: string): Promise<HandlerResult> =>
  send(deps, documentId, {}, 'probe');

async function send(deps: JobDeps, documentId: string, run: Run, as: Sending['as']): Promise<HandlerResult> {
  const slower = await lookForAnnulment(deps, documentId);
  if (slower) return slower;
  return (await runProtocol(deps, documentId, submitDue(deps, as), run)).outcome;
}

export const submitDue =
  (deps: JobDeps, as: Sending['as']): Observe =>
  async (read) => {
    const { tables, document, state, now } = read;
    const isNew = document.state === 'ready';
    if (!isNew && document.state !== 'uncertain')
      return { event: { kind: 'resend-due', sending: { as, isPaused: false, foreseenKey: null } } };
    const store = deps.storeOf(document.platform, document.shop);
    if (!store) {
      // A probe takes another document instead.
      if (as === 'probe') return done;
      return unknownStoreOf(deps, document);
    }
    // A document that may have been sent already goes on whatever became of its shop.
    const until = isNew && (await whileHeld({ ledger: tables, clock: { now: () => now } }, document));
    if (until) return until;
    const { account } = store;
    // A repeat uses the key of the first sending, because another key cannot see the document.
    const key = isNew ? { account, keyHash: account.keyHash } : serviceOf(deps, document, store);
    const numbered = { issueDate: ecuadorDay(now), secuencial: document.secuencial ?? '' };
    const sending: Sending = {
      as,
      isPaused: await tables.pauses.shuts(key.account.id, document.ambiente),
      foreseenKey: await foresee(tables, { ...document, account: key.account.id }, numbered),
    };
    if (!isNew) return { event: { kind: 'resend-due', sending }, key };
    if (isOfOtherIssuer(document, store)) {
      const issuer = isOfTrials(document, store) ? 'trial' : 'other';
      const event = { kind: 'send-due', sending, issuer, permit: { kind: 'send' }, prepared: null } as const;
      return { event, key, planned: otherIssuerReason(document, store) };
    }
    const permit = await permitFor(read, deps);
    const event = { kind: 'send-due', sending, issuer: 'same', permit } as const;
    if (rules.isBehind(state.series)) {
      const { reason = '' } = (await tables.sequences.stopped(document)) ?? {};
      return { event: { ...event, prepared: null }, key, planned: reason };
    }
    if (permit.kind === 'check-series' || permit.kind === 'wait')
      return { event: { ...event, prepared: null }, key };
    const made = await prepare({ ...deps, clock: { now: () => now } }, tables, document, store);
    if (made.kind === 'nothing') return { event: { ...event, prepared: made }, key };
    const { trace } = made;
    if (made.kind === 'held') {
      const { reason, buyerReason } = made;
      return { event: { ...event, prepared: made }, key, planned: reason, facts: { buyerReason, trace } };
    }
    const { draft } = made;
    const prepared = { kind: 'send', total: draft.total, buyerId: draft.buyerId } as const;
    return { event: { ...event, prepared }, key, draft, facts: { trace } };
  };

/** A verified series is not locked: its documents are sent side by side. */
async function permitFor({ tables, document, state, now }: Read, { timings }: JobDeps): Promise<Permit> {
  const { check } = state.series;
  if (check.isVerified) return { kind: 'send' };
  const view = await tables.sequences.view(document, document);
  return permitOf(check, view, now.getTime(), { timings });
}

export function followUp(deps: JobDeps): Handler {
  const isDue: Observe = async ({ tables, document, attempts }) => {
    if (statesUnderWay.includes(document.state) && !deps.storeOf(document.platform, document.shop))
      return unknownStoreOf(deps, document);
    const lost = await foreseeLost(tables, document, attempts);
    const foreseen = lost.flatMap(({ n, accessKey, foreseenKey }) =>
      accessKey === null && foreseenKey !== null ? [{ n, accessKey: foreseenKey }] : [],
    );
    return { event: { kind: 'follow-up-due', foreseen } };
  };
  return async (claimed) =>
    (await runProtocol(deps, claimed.subject, isDue, { job: 'follow-up', claimed })).outcome;
}

/** Has the service hand a key that ended with an error to the authority again (spec, `POST /api/comprobante/reprocesar`). */
export function reprocessDocument(deps: JobDeps): Handler {
  return async (claimed) =>
    (await runProtocol(deps, claimed.subject, { kind: 'reprocess-due' }, { job: 'reprocess', claimed }))
      .outcome;
}

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

/** Found by the key of an attempt, else by its number: the event may be faster than the answer to the POST. */
export function settleDocument(deps: JobDeps): Handler {
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
    return (await runProtocol(deps, document.id, notified, { claimed })).outcome;
  };
}

/** Whether an account may report on a document: it issued it, has the key that issued it, or is its store's account today. */
function speaksFor(
  deps: Pick<JobDeps, 'accounts' | 'storeOf'>,
  account: string,
  document: Document,
): boolean {
  const { platform, shop, keyHash } = document;
  if (document.account === account || deps.storeOf(platform, shop)?.account.id === account) return true;
  return deps.accounts.get(account)?.keys.some((key) => key.keyHash === keyHash) ?? false;
}

/** The document that has the key, if the key names it, else the one of the key's number. */
async function documentOf(
  { ledger }: Pick<JobDeps, 'ledger'>,
  accessKey: string,
): Promise<Document | undefined> {
  const matching = await ledger.documents.byAccessKey(accessKey);
  if (matching && keyNames(matching, accessKey)) return matching;
  const { series, secuencial } = placeOf(accessKey);
  return ledger.documents.byNumber(series, secuencial);
}
