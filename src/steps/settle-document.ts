import { z } from 'zod';
import type { Ambiente, Attempt, Document } from '../core/document.ts';
import { done, type Step } from '../core/work.ts';
import { readAccessKey } from '../service/access-key.ts';
import type { FoundDocument } from '../service/answers.ts';
import { confirmOutcome } from './confirm.ts';
import type { StepDeps } from './deps.ts';
import { tellDropped } from './dropped.ts';
import { isRevoked, issuerOf, serviceOf } from './issued.ts';
import { keyNames } from './key-names.ts';
import { keysInQuestion } from './known-keys.ts';
import { meetStored, placeOf } from './older-ledger/meet.ts';
import { applyOutcome } from './outcome.ts';
import { storeOfDocument } from './unknown-store.ts';

/** What the service's webhook door keeps of an event (spec, body fields). */
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
type ServiceEvent = z.infer<typeof eventPayload>;

/**
 * A signed event about a key that an answer of ours named settles the document by itself. Any other is a hint: it is
 * matched by the access key of an attempt, else by issuer, environment, type and number (it may overtake the POST's
 * answer), and asked about before it is believed. Needs no slot of the key's rate but for such a question.
 */
export function settleDocument(deps: StepDeps): Step {
  return async (work) => {
    const event = eventPayload.parse(work.payload);
    const document = await documentOf(deps, event.claveacceso);
    if (!document && (await meetAnnounced(deps, event))) return done;
    if (!document || !speaksFor(deps, event.account, document)) {
      deps.log.info(
        { account: event.account, number: event.numero },
        'A service event about a document that is not of this account was passed over',
      );
      return done;
    }
    deps.joinJourney(document);
    if (document.state === 'authorized') return done;
    const isDropped = document.state === 'cancelled';
    if (isDropped && event.state === 'error') return done;
    const attempts = await deps.ledger.attempts.ofDocument(document.id);
    const bearer = attempts.findLast(({ accessKey }) => accessKey === event.claveacceso);
    // Told before: a late or repeated event.
    if (event.state === 'error' && bearer?.outcome === 'error') return done;
    const told = foundBy(event);
    if (told && !isDropped && speaksForItself(deps, document, attempts, event)) {
      await applyOutcome(deps, document, told);
      return done;
    }
    const key = serviceOf(deps, document, storeOfDocument(deps, document));
    const calls = key.calls(null);
    const answer = await calls.consultarComprobante(event.claveacceso);
    if (answer.kind === 'unauthorized') isRevoked(deps, key);
    if (answer.kind === 'not-found') {
      if (event.state === 'error' || work.attempts >= deps.timings.notifiedTries) return done;
      throw new Error('The service does not show yet what it announced.');
    }
    if (answer.kind !== 'found')
      throw new Error('The state the service announced could not be confirmed yet.');
    const take = isDropped ? tellDropped : confirmOutcome;
    if (!(await take(deps, calls, document, answer)))
      throw new Error('Whose document the service announced could not be read yet.');
    return done;
  };
}

/**
 * Whether an account's webhook secret speaks for a document: it issued it, holds the key it was issued with, or is its
 * store's account today.
 */
function speaksFor(deps: StepDeps, account: string, document: Document): boolean {
  const { platform, shop, keyHash } = document;
  if (document.account === account || deps.storeOf(platform, shop)?.account.id === account) return true;
  return deps.accounts.get(account)?.keys.some((key) => key.keyHash === keyHash) ?? false;
}

/**
 * Only about a key that the service answered our POST with, and only from the account that issued it. A 409 named a key nobody has compared yet; a reprocessed one, and one that
 * two sendings bear, may be spoken of by the event of its first end. A number that is taken may be so by another key of
 * ours.
 */
function speaksForItself(
  deps: StepDeps,
  document: Document,
  attempts: readonly Attempt[],
  event: ServiceEvent,
): boolean {
  const bearers = attempts.filter(({ accessKey }) => accessKey === event.claveacceso);
  const isFresh = bearers.length === 1 && bearers[0]?.outcome === 'created';
  if (event.state === 'error' && keysInQuestion(attempts, event).length > 0) return false;
  return isFresh && issuerOf(deps, document)?.account.id === event.account;
}

/** The event as a question would have been answered; null when it does not say the state. */
function foundBy(event: ServiceEvent): FoundDocument | null {
  const { state, claveacceso, numero, fechaAutorizacion, errors } = event;
  if (state === null) return null;
  return {
    kind: 'found',
    ...{ state, claveacceso, numero, fechaAutorizacion, errors },
    tipo: event.tipo_comprobante,
    rucEmisor: event.ruc_emisor,
    ambiente: event.ambiente,
    numeroAutorizacion: null,
    estadoTexto: null,
    annulled: false,
    enlaces: { xml: null, pdf: null },
  };
}

/**
 * Whether an event is about a number that this ledger has not given yet, in a series of its own: what it lost is
 * announced all the same (older-ledger/meet.ts).
 */
async function meetAnnounced(
  deps: StepDeps,
  { account: id, claveacceso, state }: ServiceEvent,
): Promise<boolean> {
  const account = deps.accounts.get(id);
  const { series, secuencial } = placeOf(claveacceso);
  const { next } = await deps.ledger.sequences.frontier(series);
  if (!account || state === 'error' || next === null || Number(secuencial) < next) return false;
  const { keyHash } = account;
  const answer = await deps.service(account, null, keyHash).descargarXml(claveacceso);
  if (answer.kind !== 'found') return false;
  const shown = { accessKey: claveacceso, stored: answer.facts, account: id, keyHash };
  return (await meetStored(deps, shown)) !== 'not-ours';
}

/** The document a key is of: the one that bears it, where the key names it at all, else the one of its number. */
async function documentOf({ ledger }: StepDeps, accessKey: string): Promise<Document | undefined> {
  const bearer = await ledger.documents.byAccessKey(accessKey);
  if (bearer && keyNames(bearer, accessKey)) return bearer;
  const { numero, ruc_emisor: ruc, ambiente, tipo_comprobante: codDoc } = readAccessKey(accessKey);
  const [establecimiento = '', puntoEmision = '', secuencial = ''] = numero.split('-');
  const series = { ruc, ambiente: ambiente as Ambiente, codDoc, establecimiento, puntoEmision };
  return ledger.documents.byNumber(series, secuencial);
}
