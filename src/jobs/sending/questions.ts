import { referenceField } from '../../../mappers/additional-info.ts';
import { type Attempt, type Document, documentNumber, documentReference } from '../../domain/document.ts';
import { isWithinCents } from '../../domain/money.ts';
import type { ClaimedWork } from '../../domain/work.ts';
import type { Asked } from '../../protocol/effects.ts';
import type { Event, Stored, Verdict } from '../../protocol/events.ts';
import { rules } from '../../protocol/rules.ts';
import { isEmpty, type ReprocessAnswer } from '../../service/answers.ts';
import type { AuthorizedXml } from '../../service/authorized-xml.ts';
import type { ServiceCalls } from '../../service/client.ts';
import type { SendingKey, StepDeps } from '../deps.ts';
import { foreseeLost } from '../foreseen.ts';
import { isRevoked, serviceOf } from '../issued.ts';
import { isKey, keyNames } from '../key-names.ts';
import { whoseIs } from '../older-ledger/meet.ts';
import { named, storedDiffers } from '../sentences.ts';
import { storeOfDocument } from '../unknown-store.ts';
import { differencesOf } from '../verify/differing.ts';
import { answerOf, handedOverOf, standingOf } from './answers.ts';
import { namedKey } from './state.ts';

/* What a decision asks or sends after its COMMIT, and the answer as the next event. */

/** What is remembered between a question and what is written of its answer. */
export interface Talk {
  /** The job that asks; the slot booked for it pays for its first call. */
  work: ClaimedWork | null;
  /** Who is asked instead of the service under the document's own key. */
  asks?: ServiceCalls;
  /** The service under the key that issued the document, once it was asked. */
  service?: ReturnType<typeof serviceOf> & { asks: ServiceCalls };
  /** The key the POST under way left under, and the document as it stood before. */
  left?: { key: SendingKey; before: Document };
  /** The XML that was compared last. */
  xml?: AuthorizedXml | null;
  /** What the service says of the key that was asked about last. */
  words?: readonly string[];
  search?: Search;
}

type Question = Exclude<Asked, { kind: 'permit' | 'prepare' | 'look-ahead' }>;

/** Asks, or sends; the answer is the next event. */
export async function answerTo(
  deps: StepDeps,
  talk: Talk,
  question: Question,
  { document, attempts }: { document: Document; attempts: readonly Attempt[] },
): Promise<Event> {
  switch (question.kind) {
    case 'post':
      return post(deps, talk, question.n, { document, attempts });
    case 'ask':
      return ask(deps, talk, question, document);
    case 'compare': {
      const { accessKey, because } = question;
      const { asks } = serviceFor(deps, talk, document);
      const { stored, xml } = await compareStored(deps, asks, accessKey, document, attempts);
      talk.xml = xml;
      return { kind: 'compared', key: namedKey(document, accessKey), stored, because };
    }
    case 'ask-balance': {
      const { account, keyHash } = talk.left?.key ?? serviceFor(deps, talk, document);
      const balance = await deps.service(account, null, keyHash).consultarSaldo();
      const isEmptied = balance.kind === 'balance' && isEmpty(balance);
      return { kind: 'balance', isEmpty: isEmptied, because: question.because };
    }
    case 'reprocess': {
      const key = serviceFor(deps, talk, document);
      const answer = await handOver(key, { ...question, ruc: document.ruc });
      return { kind: 'handed-over', n: question.n, answer: handedOverOf(deps, key, answer) };
    }
    case 'search': {
      const { vouched, version, keys } = question;
      talk.search = await searchOurs(deps, document, attempts, keys);
      return { kind: 'searched', vouched, version, verdicts: talk.search.verdicts };
    }
  }
}

/** The service under the key that issued the document; after a POST under the one it was issued with before that. */
function serviceFor(deps: StepDeps, talk: Talk, document: Document): NonNullable<Talk['service']> {
  if (!talk.service) {
    const issued = talk.left?.before ?? document;
    const key = serviceOf(deps, issued, storeOfDocument(deps, issued));
    const paidBy = talk.left || !talk.work?.budget ? null : talk.work;
    talk.service = { ...key, asks: talk.asks ?? key.calls(paidBy) };
  }
  return talk.service;
}

async function post(
  deps: StepDeps,
  { left, work }: Talk,
  n: number,
  { document, attempts }: { document: Document; attempts: readonly Attempt[] },
): Promise<Event> {
  const attempt = attempts[n - 1];
  if (!attempt || !left) throw new Error(`Attempt ${n} was not written before it was to leave.`);
  const calls = deps.service(left.key.account, work, left.key.keyHash);
  const answer = await (document.kind === 'factura'
    ? calls.emitirFactura(attempt.body)
    : calls.emitirNotaCredito(attempt.body));
  return { kind: 'answered', n, answer: answerOf(deps, { document, key: left.key }, answer) };
}

async function ask(
  deps: StepDeps,
  talk: Talk,
  { accessKey, because }: Extract<Asked, { kind: 'ask' }>,
  document: Document,
): Promise<Event> {
  const key = namedKey(document, accessKey);
  const { asks, ...issuer } = serviceFor(deps, talk, document);
  const answer = await asks.consultarComprobante(accessKey);
  switch (answer.kind) {
    case 'found':
      talk.words = answer.errors.map(({ mensaje }) => mensaje);
      return { kind: 'found', key, standing: standingOf(answer), because };
    case 'not-found':
      return { kind: 'not-found', key, isUnderOtherKey: issuer.gone, because };
    case 'unauthorized': {
      const why = isRevoked(deps, issuer) ? 'older-key-unauthorized' : 'unauthorized';
      return { kind: 'silent', why, because };
    }
    default:
      return { kind: 'silent', why: 'no-answer', because };
  }
}

/**
 * By the account's route; where the service does not know the current one (404 in no words of its own), by the historic
 * one, which asks for the number that its answer to the emission gave.
 */
async function handOver(
  { account, asks }: NonNullable<Talk['service']>,
  { accessKey, ruc, serviceId }: { accessKey: string; ruc: string; serviceId: number | null },
): Promise<ReprocessAnswer> {
  const historic = (id: number) =>
    asks.reprocesarComprobanteHistorico(accessKey, { ruc, id_comprobante: id });
  if (account.reprocess.route === 'historic' && serviceId !== null) return historic(serviceId);
  const answer = await asks.reprocesarComprobante(accessKey);
  const isRouteUnknown = answer.kind === 'unknown' && answer.status === 404;
  return isRouteUnknown && serviceId !== null ? historic(serviceId) : answer;
}

interface Search {
  /** What was said of each key, up to the first that stands in the way of a new number. */
  verdicts: { accessKey: string; verdict: Verdict }[];
  /** Why there is no new number, for the person, in Spanish; null where nothing was found. */
  says: string | null;
  /** Whether the service's list of webhooks could be read. */
  webhooks: 'read' | 'unread';
}

/**
 * Looks for a document of ours under its number by every means there is: each key that was told of it or foreseen
 * (`keys`), can be foreseen now for a lost answer, or stands on its number in the service's list of webhooks; by state and
 * by authorised XML, under each API key of its accounts (a key sees only its own documents; spec, key rules).
 */
export async function searchOurs(
  deps: StepDeps,
  document: Document,
  attempts: readonly Attempt[],
  keys: readonly string[],
): Promise<Search> {
  const store = deps.storeOf(document.platform, document.shop);
  if (!store) {
    const says = 'La tienda de este documento ya no está en la configuración.';
    return { verdicts: [{ accessKey: '', verdict: 'silent' }], says, webhooks: 'unread' };
  }
  const askers = askersOf(deps, document, store.account);
  const delivered = await keysOfWebhooks(askers, document);
  const foreseen = (await foreseeLost(deps.ledger, document, attempts)).map(({ foreseenKey }) => foreseenKey);
  const every = [...keys, ...foreseen, ...delivered.keys].filter(isKey);
  const webhooks = delivered.read ? 'read' : 'unread';
  const verdicts: Search['verdicts'] = [];
  for (const accessKey of new Set(every.filter((key) => keyNames(document, key)))) {
    const verdict = await askAbout(deps, askers, accessKey, { document, attempts });
    verdicts.push({ accessKey, verdict });
    if (rules.standsInTheWay(verdict))
      return { verdicts, says: standing(document, accessKey, verdict), webhooks };
  }
  return { verdicts, says: null, webhooks };
}

interface Asker extends Pick<ReturnType<typeof serviceOf>, 'account' | 'keyHash'> {
  calls: ServiceCalls;
}

/** The service under the key that issued the document, then under every other one of its account and of its store's. */
function askersOf(deps: StepDeps, document: Document, ofStore: Asker['account']): Asker[] {
  const store = { account: ofStore } as Parameters<typeof serviceOf>[2];
  const { account, keyHash } = serviceOf(deps, document, store);
  const every = [
    { account, keyHash },
    ...[account, ofStore].flatMap((one) => one.keys.map((key) => ({ account: one, keyHash: key.keyHash }))),
  ];
  const first = new Map(every.toReversed().map((one) => [one.keyHash, one]));
  return [...first.values()]
    .toReversed()
    .filter((one) => !deps.revoked.has(one.keyHash))
    .map((one) => ({ ...one, calls: deps.service(one.account, null, one.keyHash) }));
}

/** The keys on a document's number in the service's list of its last webhooks, which may never have arrived here. */
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
  deps: StepDeps,
  askers: readonly Asker[],
  accessKey: string,
  { document, attempts }: { document: Document; attempts: readonly Attempt[] },
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
    // What it says it does not know may have its XML there all the same.
    const { stored } = await compareStored(deps, asker.calls, accessKey, document, attempts);
    if (stored.kind === 'this-sale') return rules.isAlike(stored) ? 'ours' : 'named';
    if (stored.kind !== 'unreadable') return 'foreign';
    if (answer.kind === 'found') return 'unreadable';
    verdict = 'not-found';
  }
  return verdict;
}

/** Why no new number may be given. */
function standing(document: Document, key: string, verdict: Verdict): string | null {
  const number = documentNumber(document);
  switch (verdict) {
    case 'ours':
      return `El servicio muestra autorizada ${named(document)} con la clave ${key}, y con otro número se facturaría dos veces. Dé esa clave: facturapuente adopt ${document.id} ${key}.`;
    case 'named':
      return storedDiffers(document, key);
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

/**
 * Compares the authorised XML under a key with the attempts of a document: our reference, the number, the buyer and the
 * total, up to a cent of the service's own rounding for each tax. Never with a new mapping, which may have changed since.
 * A number may have left twice under one key with two contents: `alike` are the attempts nearest to it line by line.
 */
async function compareStored(
  deps: Parameters<typeof whoseIs>[0],
  calls: Pick<ServiceCalls, 'descargarXml'>,
  accessKey: string,
  document: Document,
  attempts: readonly Attempt[],
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
  return { stored: { kind: whose.kind === 'another-order' ? 'another-order' : 'foreign' }, xml };
}

/** The attempts of its buyer and total that differ from it least: a line, or the day, may have been another. */
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
