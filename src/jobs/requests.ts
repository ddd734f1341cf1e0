import { referenceField } from '../../mappers/body.ts';
import { type Attempt, type Document, documentNumber, documentReference } from '../domain/document.ts';
import type { ClaimedJob } from '../domain/job.ts';
import { isWithinCents } from '../domain/money.ts';
import type { IssuingKey, Store } from '../domain/settings.ts';
import type { Request } from '../protocol/effects.ts';
import type {
  Answer,
  Event,
  Outcome,
  RefusedFor,
  ReprocessAnswer,
  ServiceState,
  Stored,
  Verdict,
} from '../protocol/events.ts';
import { rules } from '../protocol/rules.ts';
import {
  type EmissionAnswer,
  type FoundDocument,
  isEmpty,
  type ReprocessAnswer as ServiceReprocessAnswer,
} from '../service/answers.ts';
import type { AuthorizedXml } from '../service/authorized-xml.ts';
import type { ServiceCalls } from '../service/client.ts';
import { namesProvider, saysNoCredits } from '../service/inferred.ts';
import {
  isRevoked,
  type JobDeps,
  type SendingKey,
  serviceOf,
  type UnknownHere,
  unknownStoreOf,
} from './deps.ts';
import { foreseeLost, isKey, keyNames, namedKey } from './load-state.ts';
import { whoseIs } from './older-ledger/lost-documents.ts';
import { wrongDay } from './prepare.ts';
import { causeOf, named, saidOf } from './sentences.ts';
import { differencesOf } from './verify-document.ts';

export interface Exchange {
  /** The slot booked for it pays for its first call. */
  claimed: ClaimedJob | null;
  calls?: ServiceCalls;
  /** The service under the key that issued the document, once it was asked. */
  service?: IssuedService | undefined;
  /** The API key of the POST under way, and the document as it was before. */
  sent?: { key: SendingKey; before: Document } | undefined;
  xml?: AuthorizedXml | null;
  /** What the service says of the key that was asked about last. */
  words?: readonly string[];
  search?: Search;
}

type IssuedService = IssuingKey & { calls: ServiceCalls };

interface Sent {
  document: Document;
  attempts: readonly Attempt[];
}

export async function performRequest(
  deps: JobDeps,
  exchange: Exchange,
  request: Exclude<Request, { kind: 'check-series' }>,
  sent: Sent,
): Promise<Event | UnknownHere> {
  const { document } = sent;
  if (request.kind === 'post') return post(deps, exchange, request.n, sent);
  if (request.kind === 'search') {
    const { confirmed, version, keys } = request;
    exchange.search = await searchOurs(deps, sent, keys);
    return { kind: 'searched', confirmed, version, verdicts: exchange.search.verdicts };
  }
  exchange.service ??= serviceFor(deps, exchange, document);
  const { service } = exchange;
  if (!service) return unknownStoreOf(deps, document);
  switch (request.kind) {
    case 'ask':
      return ask(deps, exchange, service, request, document);
    case 'compare': {
      const { accessKey, purpose } = request;
      const { stored, xml } = await compareStored(deps, service.calls, accessKey, sent);
      exchange.xml = xml;
      return { kind: 'compared', key: namedKey(document, accessKey), stored, purpose };
    }
    case 'ask-balance': {
      const { account, keyHash } = exchange.sent?.key ?? service;
      const balance = await deps.service(account, null, keyHash).consultarSaldo();
      const isEmptied = balance.kind === 'balance' && isEmpty(balance);
      return { kind: 'balance', isEmpty: isEmptied, n: request.n, errors: request.errors };
    }
    case 'reprocess': {
      const answer = await reprocess(service, document, request);
      return { kind: 'reprocess-answered', n: request.n, answer: reprocessAnswerOf(deps, service, answer) };
    }
  }
}

/** The service under the key that issued the document; after a POST under the one that issued it before. */
function serviceFor(
  deps: Pick<JobDeps, 'accounts' | 'revoked' | 'service' | 'storeOf'>,
  exchange: Exchange,
  document: Document,
): IssuedService | undefined {
  const issued = exchange.sent?.before ?? document;
  const store = deps.storeOf(issued.platform, issued.shop);
  if (!store) return undefined;
  const { calls, ...key } = serviceOf(deps, issued, store);
  const paidBy = exchange.sent || !exchange.claimed?.rateLimit ? null : exchange.claimed;
  return { ...key, calls: exchange.calls ?? calls(paidBy) };
}

async function post(
  deps: Pick<JobDeps, 'clock' | 'failureCounter' | 'log' | 'revoked' | 'service'>,
  { sent, claimed }: Exchange,
  n: number,
  { document, attempts }: Sent,
): Promise<Event> {
  const attempt = attempts[n - 1];
  if (!attempt || !sent) throw new Error(`Attempt ${n} was not written before it was to be sent.`);
  const calls = deps.service(sent.key.account, claimed, sent.key.keyHash);
  const answer = await (document.kind === 'factura'
    ? calls.emitirFactura(attempt.body)
    : calls.emitirNotaCredito(attempt.body));
  return { kind: 'answered', n, answer: answerOf(deps, document, sent.key, answer) };
}

async function ask(
  deps: Pick<JobDeps, 'log' | 'revoked'>,
  exchange: Exchange,
  { calls, ...issuer }: IssuedService,
  { accessKey, purpose }: Extract<Request, { kind: 'ask' }>,
  document: Document,
): Promise<Event> {
  const key = namedKey(document, accessKey);
  const answer = await calls.consultarComprobante(accessKey);
  switch (answer.kind) {
    case 'found':
      exchange.words = answer.errors.map(({ mensaje }) => mensaje);
      return { kind: 'found', key, serviceState: serviceStateOf(answer), purpose };
    case 'not-found':
      return { kind: 'not-found', key, isUnderOtherKey: issuer.gone, purpose };
    case 'unauthorized': {
      const why = isRevoked(deps, issuer) ? 'older-key-unauthorized' : 'unauthorized';
      return { kind: 'silent', why, purpose };
    }
    default:
      return { kind: 'silent', why: 'no-answer', purpose };
  }
}

/** By the account's route; where the service does not know it (404 without a body of its own), by the historic one. */
async function reprocess(
  { account, calls }: IssuedService,
  { ruc }: Document,
  { accessKey, serviceId }: Extract<Request, { kind: 'reprocess' }>,
): Promise<ServiceReprocessAnswer> {
  const historic = (id: number) =>
    calls.reprocesarComprobanteHistorico(accessKey, { ruc, id_comprobante: id });
  if (account.reprocess.route === 'historic' && serviceId !== null) return historic(serviceId);
  const answer = await calls.reprocesarComprobante(accessKey);
  const isRouteUnknown = answer.kind === 'unknown' && answer.status === 404;
  return isRouteUnknown && serviceId !== null ? historic(serviceId) : answer;
}

interface Search {
  /** Up to the first that prevents a new number. */
  verdicts: { accessKey: string; verdict: Verdict }[];
  /** In Spanish, why there is no new number; null where nothing was found. */
  message: string | null;
  webhooks: 'read' | 'unread';
}

/** By state and by authorised XML, under each API key: a key sees only its own documents (spec, key rules). */
export async function searchOurs(deps: JobDeps, sent: Sent, keys: readonly string[]): Promise<Search> {
  const { document, attempts } = sent;
  const store = deps.storeOf(document.platform, document.shop);
  if (!store) {
    const message = 'La tienda de este documento ya no está en la configuración.';
    return { verdicts: [{ accessKey: '', verdict: 'silent' }], message, webhooks: 'unread' };
  }
  const askers = askersOf(deps, document, store);
  const delivered = await keysOfWebhooks(askers, document);
  const foreseen = (await foreseeLost(deps.ledger, document, attempts)).map(({ foreseenKey }) => foreseenKey);
  const every = [...keys, ...foreseen, ...delivered.keys].filter(isKey);
  const webhooks = delivered.read ? 'read' : 'unread';
  const verdicts: Search['verdicts'] = [];
  for (const accessKey of new Set(every.filter((key) => keyNames(document, key)))) {
    const verdict = await askAbout(deps, askers, accessKey, sent);
    verdicts.push({ accessKey, verdict });
    if (rules.preventsNewNumber(verdict))
      return { verdicts, message: whyNoNewNumber(document, accessKey, verdict), webhooks };
  }
  return { verdicts, message: null, webhooks };
}

interface Asker extends SendingKey {
  calls: ServiceCalls;
}

function askersOf(
  deps: Pick<JobDeps, 'accounts' | 'revoked' | 'service'>,
  document: Document,
  store: Store,
): Asker[] {
  const { account, keyHash } = serviceOf(deps, document, store);
  const others = [account, store.account].flatMap((one) =>
    one.keys.map((key) => ({ account: one, keyHash: key.keyHash })),
  );
  const keys = new Map<string, SendingKey>();
  for (const key of [{ account, keyHash }, ...others])
    if (!keys.has(key.keyHash) && !deps.revoked.has(key.keyHash)) keys.set(key.keyHash, key);
  return [...keys.values()].map((key) => ({ ...key, calls: deps.service(key.account, null, key.keyHash) }));
}

/** The keys of a document's number in the service's list of its last webhooks, which may not have arrived here. */
async function keysOfWebhooks(
  askers: readonly Asker[],
  document: Document,
): Promise<{ keys: string[]; read: boolean }> {
  const keys = new Set<string>();
  let read = false;
  for (const { calls } of askers) {
    const answer = await calls.leerWebhook();
    if (answer.kind !== 'webhook') continue;
    read = true;
    for (const { claveacceso } of answer.ultimasEntregas)
      if (isKey(claveacceso) && keyNames(document, claveacceso)) keys.add(claveacceso);
  }
  return { keys: [...keys], read };
}

async function askAbout(
  deps: JobDeps,
  askers: readonly Asker[],
  accessKey: string,
  sent: Sent,
): Promise<Verdict> {
  let verdict: Verdict = 'silent';
  for (const asker of askers) {
    const answer = await asker.calls.consultarComprobante(accessKey);
    if (answer.kind === 'unauthorized') {
      isRevoked(deps, asker);
      continue;
    }
    if (answer.kind !== 'found' && answer.kind !== 'not-found') return 'silent';
    if (answer.kind === 'found' && answer.state !== 'authorized') return answer.state;
    // Also after "not found": the XML may be there all the same.
    const { stored } = await compareStored(deps, asker.calls, accessKey, sent);
    if (stored.kind === 'this-sale') return rules.isAlike(stored) ? 'ours' : 'named';
    if (stored.kind !== 'unreadable') return 'not-ours';
    if (answer.kind === 'found') return 'unreadable';
    verdict = 'not-found';
  }
  return verdict;
}

function whyNoNewNumber(document: Document, key: string, verdict: Verdict): string | null {
  const number = documentNumber(document);
  switch (verdict) {
    case 'ours':
      return `El servicio muestra autorizada ${named(document)} con la clave ${key}, y con otro número se facturaría dos veces. Dé esa clave: facturapuente adopt ${document.id} ${key}.`;
    case 'named':
      return saidOf('storedDiffers', document, key);
    case 'processing':
      return `El comprobante con el número ${number} y la clave ${key} está en proceso de autorización y puede ser ${named(document)}. Espere a que termine y repita la orden.`;
    case 'unreadable':
      return `El servicio muestra autorizado un comprobante con el número ${number} y la clave ${key}, pero su XML no se puede leer ahora para saber de qué venta es. Intente de nuevo en unos minutos.`;
    case 'silent':
      return `El servicio no responde ahora a la pregunta por la clave ${key}, y sin su respuesta no se da un número nuevo. Intente de nuevo en unos minutos.`;
    default:
      return null;
  }
}

/** Compares the XML with the attempts, never with a new mapping. `alike`: those nearest to it line by line. */
async function compareStored(
  deps: Parameters<typeof whoseIs>[0],
  calls: Pick<ServiceCalls, 'descargarXml'>,
  accessKey: string,
  { document, attempts }: Sent,
): Promise<{ stored: Stored; xml: AuthorizedXml | null }> {
  const answer = await calls.descargarXml(accessKey);
  if (answer.kind !== 'found') return { stored: { kind: 'unreadable' }, xml: null };
  const xml = answer.facts;
  const isNamed =
    xml.campoAdicional[referenceField] === documentReference(document) &&
    xml.numero === documentNumber(document);
  if (isNamed)
    return { stored: { kind: 'this-sale', alike: nearest(document, attempts, xml, accessKey) }, xml };
  const whose = await whoseIs(deps, { accessKey, stored: xml });
  // The same sale, under a former name of its shop or another ordinal.
  if (whose.kind === 'own') return { stored: { kind: 'this-sale', alike: [] }, xml };
  if (whose.kind === 'unproven') return { stored: { kind: 'unreadable' }, xml: null };
  return { stored: { kind: whose.kind === 'another-order' ? 'another-order' : 'not-ours' }, xml };
}

function nearest(
  document: Document,
  attempts: readonly Attempt[],
  xml: AuthorizedXml,
  accessKey: string,
): number[] {
  const cents = Math.max(xml.totalImpuestos.length, 1);
  const alike = attempts.filter(
    ({ buyerId, total }) =>
      buyerId === xml.identificacionComprador && isWithinCents(xml.importeTotal, total, cents),
  );
  if (alike.length < 2) return alike.map(({ n }) => n);
  const differing = alike.map((one) => differencesOf(document, one, xml, accessKey).fields.length);
  return alike.filter((_one, at) => differing[at] === Math.min(...differing)).map(({ n }) => n);
}

/* The answers of the service as the protocol reads them. Nothing is decided here. */

/** The answer to a POST; counts the failures of the service in a row. */
export function answerOf(
  deps: Pick<JobDeps, 'clock' | 'failureCounter' | 'log' | 'revoked'>,
  document: Document,
  key: SendingKey,
  answer: EmissionAnswer,
): Answer {
  const accessKey = 'claveacceso' in answer ? answer.claveacceso : null;
  const named = accessKey === null ? null : namedKey(document, accessKey);
  // An answer that names another document says nothing about the health of the service.
  const isMixedUp = named?.isOfThis === false;
  const counter = key.account.id;
  if (answer.kind !== 'unknown' && !isMixedUp) deps.failureCounter.clear(counter);
  switch (answer.kind) {
    case 'created':
      return {
        kind: 'created',
        key: named ?? namedKey(document, answer.claveacceso),
        serviceId: answer.idComprobante,
      };
    case 'duplicate':
      return { kind: 'duplicate', key: named, errors: answer.errors };
    case 'refused':
      return { kind: 'refused', names: namesOf(deps, answer), errors: answer.errors };
    case 'unauthorized':
      return { kind: 'unauthorized', isOlderKey: isRevoked(deps, key) };
    case 'throttled':
      return { kind: 'throttled', retryAfter: answer.retryAfterMs };
    case 'unknown': {
      const { mayHaveLeft, errors = [] } = answer;
      const failures = isMixedUp ? 0 : deps.failureCounter.add(counter, mayHaveLeft ? document.id : null);
      return mayHaveLeft
        ? { kind: 'unknown', key: named, errors, failures }
        : { kind: 'unreachable', failures };
    }
  }
}

function namesOf(
  { clock }: Pick<JobDeps, 'clock'>,
  answer: Extract<EmissionAnswer, { kind: 'refused' }>,
): RefusedFor {
  const wrong = wrongDay(answer, clock.now());
  if (wrong?.kind === 'clock') return { kind: 'date', clocks: 'differ', midnight: null };
  if (wrong)
    return { kind: 'date', clocks: 'agree', midnight: wrong.kind === 'midnight' ? wrong.waitMs : null };
  if (answer.aviso !== null && namesProvider(answer.errors)) return { kind: 'provider-data' };
  // Whatever the balance says: documents in process may have used the last ones.
  return saysNoCredits(answer.errors) ? { kind: 'credits' } : { kind: 'words' };
}

type Reported = Pick<FoundDocument, 'fechaAutorizacion' | 'errors'>;

export function serviceStateOf({
  state,
  ...reported
}: Reported & Pick<FoundDocument, 'state'>): ServiceState {
  return state === 'processing' ? { state } : outcomeOf({ state, ...reported });
}

/** How a document ended at the authority. */
export function outcomeOf({
  state,
  fechaAutorizacion,
  errors,
}: Reported & { state: Outcome['state'] }): Outcome {
  if (state === 'authorized') return { state, at: fechaAutorizacion };
  return { state, cause: causeOf(errors).cause, errors: errors.map(sentenceOf) };
}

/** As attempts keep them: "39 FIRMA INVALIDA". */
const sentenceOf = ({ identificador, mensaje, informacionAdicional }: FoundDocument['errors'][number]) =>
  [identificador, mensaje, informacionAdicional].filter(Boolean).join(' ');

/** The answer to a request to reprocess a key. */
function reprocessAnswerOf(
  deps: Pick<JobDeps, 'log' | 'revoked'>,
  key: SendingKey,
  answer: ServiceReprocessAnswer,
): ReprocessAnswer {
  switch (answer.kind) {
    case 'refused':
      // 409: it did not end with an error (assumption A13). 402: credits are missing.
      if (answer.status === 409) return { kind: 'not-ended' };
      if (answer.status === 402) return { kind: 'no-credits' };
      return { kind: 'refused', errors: answer.errors };
    case 'not-found':
      return { kind: 'refused', errors: [] };
    case 'throttled':
      return { kind: 'throttled', retryAfter: answer.retryAfterMs };
    case 'unauthorized':
      return { kind: 'unauthorized', isOlderKey: isRevoked(deps, key) };
    default:
      return { kind: answer.kind };
  }
}
