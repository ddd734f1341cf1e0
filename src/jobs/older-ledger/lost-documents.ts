import { referenceField } from '../../../mappers/body.ts';
import type { Alert } from '../../domain/alerts.ts';
import { type Day, ecuadorDay, startOfEcuadorDay } from '../../domain/clock.ts';
import { type Document, documentCodes, readReference, type Series } from '../../domain/document.ts';
import { seriesSubject } from '../../domain/job.ts';
import type { Order } from '../../domain/order.ts';
import { owner, type Store } from '../../domain/settings.ts';
import type { Tables } from '../../ledger/ledger.ts';
import type { UnknownDocument } from '../../ledger/schema.ts';
import type { SeriesStop } from '../../ledger/series.ts';
import type { FoundDocument } from '../../service/answers.ts';
import type { AuthorizedXml } from '../../service/authorized-xml.ts';
import type { ServiceCalls } from '../../service/client.ts';
import { readAccessKey } from '../../service/event.ts';
import { beginAlert, seriesAlert } from '../alerts.ts';
import { type JobDeps, priorities } from '../deps.ts';
import { enqueueSync } from '../enqueue.ts';
import { named } from '../sentences.ts';

/* A ledger restored from a copy lacks documents the service has: the series waits, and no such order is invoiced again. */

interface Shown extends Pick<UnknownDocument, 'accessKey' | 'account' | 'keyHash'> {
  stored: AuthorizedXml;
}

const olderReason =
  'El servicio tiene autorizados documentos de esta tienda que este registro no conoce: se restauró de una copia anterior o perdió lo último. Se averigua cuáles son antes de dar otro número.';

export const unsureReason =
  'El servicio tiene autorizados documentos de esta tienda que este registro no conoce, y sus claves no se pueden prever: no se sabe cuántos faltan. Busque en el panel del servicio los de esta serie, dé la clave de cada uno a su pedido con facturapuente adopt, e indique en la configuración un primer número libre (series.first).';

/** While it is looked up whose document has the number. */
export const suspectReason =
  'El SRI ya tenía registrado un número de esta serie que este registro acaba de usar por primera vez. Se averigua de quién es antes de dar otro número.';

export const isOlder = ({ reason }: SeriesStop): boolean =>
  [olderReason, unsureReason, suspectReason].includes(reason);

type Sale = Pick<UnknownDocument, 'platform' | 'shop' | 'kind' | 'sourceId'> & { store: Store };

type Whose =
  | { kind: 'not-ours' }
  /** Perhaps ours: its shop may be one of our stores that has moved and has not said yet which one it is. */
  | { kind: 'unproven' }
  | { kind: 'own'; sale: Sale; there: Document }
  | { kind: 'another-order'; sale: Sale };

/** By its reference. `own`: the ledger's document of that number is of the same order or refund. */
export async function whoseIs(
  deps: Pick<JobDeps, 'storeOf' | 'storeById'> & { ledger: Pick<Tables, 'documents' | 'shops'> },
  { accessKey, stored }: Pick<Shown, 'accessKey' | 'stored'>,
): Promise<Whose> {
  const reference = readReference(stored.campoAdicional[referenceField]);
  const store = reference && storeNamed(deps, reference);
  if (!reference || stored.codDoc !== documentCodes[reference.kind]) return { kind: 'not-ours' };
  if (!store) return { kind: (await isUnproven(deps, reference)) ? 'unproven' : 'not-ours' };
  const { platform, shop, kind, sourceId } = { ...reference, shop: store.shop };
  const { series, secuencial } = placeOf(accessKey);
  // Another issuer may write any reference, and a document of the trials is no factura of the sale.
  if (series.ruc !== store.issuer.ruc || series.ambiente !== store.issuer.ambiente)
    return { kind: 'not-ours' };
  const sale = { platform, shop, kind, sourceId, store };
  const there = await deps.ledger.documents.byNumber(series, secuencial);
  if (there && there.shop === shop && there.kind === kind && there.sourceId === sourceId)
    return { kind: 'own', sale, there };
  return { kind: 'another-order', sale };
}

/** All that was sent was refused. */
export async function neverStood(
  { attempts }: Pick<Tables, 'attempts'>,
  document: Document,
): Promise<boolean> {
  if (document.accessKey !== null || !isStill(document)) return false;
  const sent = await attempts.ofDocument(document.id);
  return sent.every(({ outcome }) => outcome === 'refused' || outcome === 'unsent');
}

export const isStill = ({ state }: Pick<Document, 'state'>): boolean =>
  ['held', 'ready', 'rejected', 'manual'].includes(state);

export async function noteIfLost(
  deps: JobDeps,
  shown: Shown,
): Promise<'own' | 'noted' | 'not-ours' | 'unproven'> {
  const whose = await whoseIs(deps, shown);
  if (whose.kind === 'not-ours' || whose.kind === 'unproven') return whose.kind;
  if (whose.kind === 'own' && !(await neverStood(deps.ledger, whose.there))) return whose.kind;
  const now = deps.clock.now();
  if (await deps.ledger.transaction((tables) => noteLost(deps, tables, shown, whose.sale, now)))
    logLost(deps, shown, whose.sale);
  return 'noted';
}

/** Inside a transaction. False if noted before. */
export async function noteLost(
  deps: Pick<JobDeps, 'channels'>,
  tables: Tables,
  { accessKey, stored, account, keyHash }: Shown,
  { store, ...sale }: Sale,
  now: Date,
): Promise<boolean> {
  const { series } = placeOf(accessKey);
  const { platform, shop, kind, sourceId } = sale;
  const orderId = kind === 'factura' ? sourceId : await orderOfRefund(tables, stored, series);
  if (!(await tables.unknownDocuments.note({ accessKey, ...sale, orderId, account, keyHash }, now)))
    return false;
  await tables.sequences.stop(series, { reason: olderReason, secuencial: null }, now);
  if (orderId !== null) await enqueueSync(tables, { platform, shop, orderId, storeId: store.id }, now);
  await enqueueCatchUp(tables, series, { store, keyHash, account }, now);
  const alert: Alert = {
    ...seriesAlert(series),
    code: 'ledger-older-than-service',
    about: owner.series(series),
    params: {
      store: store.id,
      document: named({ kind }),
      number: stored.numero,
      source: `${kind === 'factura' ? 'pedido' : 'reembolso'} ${sourceId}`,
    },
  };
  await beginAlert(deps, tables, alert, now);
  return true;
}

export function logLost(
  { log }: Pick<JobDeps, 'log'>,
  { stored }: Pick<Shown, 'stored'>,
  { store, kind, sourceId }: Sale,
): void {
  log.error(
    { store: store.id, number: stored.numero, kind, source: sourceId },
    'The service has a document of ours that the ledger does not know: the ledger is older than the service',
  );
}

/** The reference in the XML says whose a key is; the key alone may have been copied. */
export async function checkKeysOf(deps: JobDeps, { issuer, account }: Store, order: Order): Promise<void> {
  const { id, keyHash } = account;
  const codes: readonly string[] = Object.values(documentCodes);
  for (const accessKey of order.accessKeys) {
    const { ruc, ambiente, codDoc } = placeOf(accessKey).series;
    if (ruc !== issuer.ruc || ambiente !== issuer.ambiente || !codes.includes(codDoc)) continue;
    if (await deps.ledger.documents.byAccessKey(accessKey)) continue;
    const answer = await deps.service(account, null, keyHash).descargarXml(accessKey);
    if (answer.kind === 'found')
      await noteIfLost(deps, { accessKey, stored: answer.facts, account: id, keyHash });
  }
}

/** A number higher than all its series has given: the ledger lost the document. False where it is not ours. */
export async function checkAnnounced(deps: JobDeps, id: string, accessKey: string): Promise<boolean> {
  const account = deps.accounts.get(id);
  const { series, secuencial } = placeOf(accessKey);
  const { next } = await deps.ledger.sequences.frontier(series);
  if (!account || next === null || Number(secuencial) < next) return false;
  const { keyHash } = account;
  const answer = await deps.service(account, null, keyHash).descargarXml(accessKey);
  if (answer.kind !== 'found') return false;
  return (await noteIfLost(deps, { accessKey, stored: answer.facts, account: id, keyHash })) !== 'not-ours';
}

export const enqueueCatchUp = (
  { jobs }: Pick<Tables, 'jobs'>,
  series: Series,
  { store, account, keyHash }: Pick<Shown, 'account' | 'keyHash'> & { store: Pick<Store, 'id'> },
  now: Date,
): Promise<void> =>
  jobs.enqueue({
    kind: 'catch-up',
    subject: seriesSubject(series),
    storeId: store.id,
    rateLimit: keyHash,
    account: { id: account, ambiente: series.ambiente },
    priority: priorities.question,
    dueAt: now,
    payload: { account, keyHash },
  });

/** A reference has the shop's address without its scheme. */
function storeNamed(
  { storeOf }: Pick<JobDeps, 'storeOf'>,
  { platform, shop }: { platform: string; shop: string },
): Store | undefined {
  return namesOf(shop).flatMap((one) => storeOf(platform, one) ?? [])[0];
}

const namesOf = (shop: string): string[] => [shop, `https://${shop}`, `http://${shop}`];

/** The shop moved after the copy that the ledger was restored from; it has its former name again once it was asked. */
async function isUnproven(
  { storeById, ledger: { shops } }: Pick<JobDeps, 'storeById'> & { ledger: Pick<Tables, 'shops'> },
  { platform, shop }: { platform: string; shop: string },
): Promise<boolean> {
  for (const name of namesOf(shop)) {
    const known = await shops.get({ platform, shop: name });
    const store = known && storeById(known.storeId);
    if (store === undefined || store.platform.name !== platform) continue;
    const now = { platform, shop: store.shop };
    if (!(await shops.get(now))?.askedAt || (await shops.held(now))) return true;
  }
  return false;
}

/** Null until its factura is authorised here: a number that was only planned may be another order's at the service. */
async function orderOfRefund(
  { documents }: Pick<Tables, 'documents'>,
  { documentoModificado }: AuthorizedXml,
  series: Series,
): Promise<string | null> {
  const [establecimiento = '', puntoEmision = '', secuencial = ''] =
    documentoModificado?.numero?.split('-') ?? [];
  const ofFacturas = { ...series, codDoc: documentCodes.factura, establecimiento, puntoEmision };
  const factura = await documents.byNumber(ofFacturas, secuencial);
  return factura?.state === 'authorized' ? factura.orderId : null;
}

export function placeOf(accessKey: string): { series: Series; secuencial: string } {
  const { ruc_emisor: ruc, ambiente, tipo_comprobante: codDoc, numero } = readAccessKey(accessKey);
  const [establecimiento = '', puntoEmision = '', secuencial = ''] = numero.split('-');
  return {
    series: { ruc, ambiente: ambiente as Series['ambiente'], codDoc, establecimiento, puntoEmision },
    secuencial,
  };
}

/** `refused`: the number was used, and the document of this key was not authorised; one of another day may be. */
type Seen = 'there' | 'refused' | 'not-there' | 'silent';
export type Look = (accessKey: string) => Promise<Seen>;

export type LearnFound = (document: Document, found: FoundDocument, calls: ServiceCalls) => Promise<unknown>;

export function openLook(
  deps: JobDeps,
  calls: ServiceCalls,
  under: { account: string; keyHash: string },
  learn: LearnFound,
): Look {
  return async (accessKey) => {
    const answer = await calls.consultarComprobante(accessKey);
    if (answer.kind === 'not-found') return 'not-there';
    if (answer.kind !== 'found' || answer.state === 'processing') return 'silent';
    if (answer.state === 'error') return 'refused';
    const xml = await calls.descargarXml(accessKey);
    if (xml.kind !== 'found') return 'silent';
    const whose = await noteIfLost(deps, { accessKey, stored: xml.facts, ...under });
    if (whose === 'unproven') return 'silent';
    if (whose === 'own') {
      const { series, secuencial } = placeOf(accessKey);
      const document = await deps.ledger.documents.byNumber(series, secuencial);
      if (document && document.state !== 'authorized') await learn(document, answer, calls);
    }
    return 'there';
  };
}

/** By the service's list of its last webhook deliveries. False where a key cannot be read now. */
export async function checkDelivered(
  { ledger }: Pick<JobDeps, 'ledger'>,
  series: Series,
  calls: Pick<ServiceCalls, 'leerWebhook'>,
  look: Look,
): Promise<boolean> {
  const answer = await calls.leerWebhook();
  const delivered = answer.kind === 'webhook' ? answer.ultimasEntregas : [];
  for (const key of new Set(delivered.flatMap(({ claveacceso }) => claveacceso ?? []))) {
    if (!/^\d{49}$/.test(key) || !isOf(series, key) || (await ledger.documents.byAccessKey(key))) continue;
    if ((await look(key)) === 'silent') return false;
  }
  return true;
}

/** The most days a ledger may be older; beyond that a person has to look. */
export const mostDays = 31;
export const day = 24 * 3_600_000;

export async function daysSince(
  { ledger, clock }: Pick<JobDeps, 'clock' | 'ledger'>,
  series: Series,
  first: number,
): Promise<Day[]> {
  const today = ecuadorDay(clock.now());
  const last = await ledger.sequences.lastBefore(series, first);
  const from = last?.day ?? ecuadorDay(new Date(clock.now().getTime() - day));
  const start = startOfEcuadorDay(today).getTime();
  const days = Array.from({ length: mostDays }, (_one, n) => ecuadorDay(new Date(start - n * day)));
  return days.filter((one) => one >= from);
}

export const isOf = (series: Series, accessKey: string): boolean =>
  seriesSubject(placeOf(accessKey).series) === seriesSubject(series);
