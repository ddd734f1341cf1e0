import { referenceField } from '../../../mappers/additional-info.ts';
import {
  type Document,
  documentCodes,
  documentNumber,
  readReference,
  type Series,
} from '../../domain/document.ts';
import type { Order } from '../../domain/order.ts';
import { owner } from '../../domain/scope.ts';
import type { Store } from '../../domain/settings.ts';
import { isShadowShop } from '../../domain/shadow.ts';
import { seriesSubject } from '../../domain/work.ts';
import type { SeriesStop } from '../../ledger/document-tables.ts';
import type { Tables } from '../../ledger/ledger.ts';
import type { UnknownDocument } from '../../ledger/unknown-documents.ts';
import { readAccessKey } from '../../service/access-key.ts';
import type { AuthorizedXml } from '../../service/authorized-xml.ts';
import { beginAlert } from '../alerts.ts';
import { askSync } from '../ask.ts';
import { priorities, type StepDeps } from '../deps.ts';
import { named } from '../sentences.ts';
import { seriesAlert } from '../series-stop.ts';

/*
 * A ledger that was restored from a copy, or lost its last commits, is older than the service: that holds documents whose
 * references name orders of our shops, and the ledger knows nothing of them. Such a document is noted, its series gives no
 * number until all of them are known (catch-up.ts), and its order is read and bound to it (bind.ts), never invoiced again.
 */

/** An authorised document, as the service shows it to one API key. */
export interface Shown extends Pick<UnknownDocument, 'accessKey' | 'account' | 'keyHash'> {
  stored: AuthorizedXml;
}

/** What a series says that waits for what its ledger lost. */
export const olderReason =
  'El servicio tiene autorizados documentos de esta tienda que este registro no conoce: se restauró de una copia anterior o perdió lo último. Se averigua cuáles son antes de dar otro número.';

/** What a series says of which some documents that were lost cannot be found, so that a person gives its next number. */
export const unsureReason =
  'El servicio tiene autorizados documentos de esta tienda que este registro no conoce, y sus claves no se pueden prever: no se sabe cuántos faltan. Busque en el panel del servicio los de esta serie, dé la clave de cada uno a su pedido con facturapuente adopt, e indique en la configuración un primer número libre (series.first).';

/** What a series says while it is found out whose document has a number that proved to be registered. */
export const suspectReason =
  'El SRI ya tenía registrado un número de esta serie que este registro acaba de usar por primera vez. Se averigua de quién es antes de dar otro número.';

/** Whether a series is stopped for what its ledger lost, or may have. */
export const isOlder = ({ reason }: SeriesStop): boolean =>
  [olderReason, unsureReason, suspectReason].includes(reason);

type Sale = Pick<UnknownDocument, 'platform' | 'shop' | 'kind' | 'sourceId'> & { store: Store };

type Whose =
  | { kind: 'not-ours' }
  | { kind: 'own'; sale: Sale; there: Document }
  | { kind: 'another-order'; sale: Sale };

/**
 * Whose document it is: `own` where the ledger's document of that number is of the very order the reference names,
 * `another-order` where it is of another order of our shops, `not-ours` else.
 */
export async function whoseIs(
  deps: Pick<StepDeps, 'storeOf'> & { ledger: Pick<Tables, 'documents'> },
  { accessKey, stored }: Pick<Shown, 'accessKey' | 'stored'>,
): Promise<Whose> {
  const reference = readReference(stored.campoAdicional[referenceField]);
  const store = reference && storeNamed(deps, reference);
  if (!reference || !store || stored.codDoc !== documentCodes[reference.kind]) return { kind: 'not-ours' };
  const { platform, shop, kind, sourceId } = { ...reference, shop: store.shop };
  const { series, secuencial } = placeOf(accessKey);
  // Who issues for somebody else may write any reference; what is left of the trials is no factura of the sale.
  if (series.ruc !== store.issuer.ruc || series.ambiente !== store.issuer.ambiente)
    return { kind: 'not-ours' };
  const sale = { platform, shop, kind, sourceId, store };
  const there = await deps.ledger.documents.byNumber(series, secuencial);
  if (there && there.shop === shop && there.kind === kind && there.sourceId === sourceId)
    return { kind: 'own', sale, there };
  return { kind: 'another-order', sale };
}

/** Whether nothing of it stands anywhere, nor is on its way, as far as the ledger knows: all that was sent was refused. */
export async function neverStood(
  { attempts }: Pick<Tables, 'attempts'>,
  document: Document,
): Promise<boolean> {
  const { id, accessKey } = document;
  if (accessKey !== null || !isStill(document)) return false;
  return (await attempts.ofDocument(id)).every(
    ({ outcome }) => outcome === 'refused' || outcome === 'unsent',
  );
}

/** In these states nothing of a document is on its way. */
export const isStill = ({ state }: Pick<Document, 'state'>): boolean =>
  ['held', 'ready', 'rejected', 'manual'].includes(state);

/**
 * The same, and what the ledger lost is noted, a document of another order or that its own left: the series waits, the order is
 * read.
 */
export async function meetStored(deps: StepDeps, shown: Shown): Promise<'own' | 'noted' | 'not-ours'> {
  const whose = await whoseIs(deps, shown);
  if (whose.kind === 'not-ours') return whose.kind;
  if (whose.kind === 'own' && !(await neverStood(deps.ledger, whose.there))) return whose.kind;
  const now = deps.clock.now();
  if (await deps.ledger.transaction((tables) => noteLost(deps, tables, shown, whose.sale, now)))
    logLost(deps, shown, whose.sale);
  return 'noted';
}

/**
 * Inside a transaction: the document is noted, its series gives no number, its order is read, and a person is told. False where
 * it was noted before.
 */
export async function noteLost(
  deps: Pick<StepDeps, 'channels'>,
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
  if (orderId !== null) await askSync(tables, { platform, shop, orderId, storeId: store.id }, now);
  await askCatchUp(tables, series, { store, keyHash, account }, now);
  const alert = {
    ...seriesAlert(series),
    code: 'ledger-older-than-service',
    about: owner.series(series),
    what: `El servicio tiene autorizada ${named({ kind })} ${stored.numero} (${kind === 'factura' ? 'pedido' : 'reembolso'} ${sourceId} de la tienda ${store.id}), que este registro no conoce: se restauró de una copia anterior o perdió lo último.`,
    cure: 'Espere a que la serie siga: cada pedido recibe la factura que ya tenía. Cierre de nuevo los días desde esa copia con «facturapuente close». Compare con lo cobrado los pedidos que se pagaron y se editaron después de esa copia: se facturan por lo que dicen ahora. Vea con doctor lo que falte, y revise de qué copia se restauró el registro.',
  };
  await beginAlert(deps, tables, alert, now);
  return true;
}

/** After the COMMIT that noted it. */
export function logLost(
  { log }: Pick<StepDeps, 'log'>,
  { stored }: Pick<Shown, 'stored'>,
  { store, kind, sourceId }: Sale,
): void {
  log.error(
    { store: store.id, number: stored.numero, kind, source: sourceId },
    'The service holds a document of ours that the ledger does not know: the ledger is older than the service',
  );
}

/**
 * The access keys that are written on an order and that the ledger knows under none of its documents are asked about: what
 * the service shows of them says by its reference whose they are. The key itself proves nothing, it may have been copied.
 */
export async function meetKeysOf(deps: StepDeps, store: Store, order: Order): Promise<void> {
  for (const accessKey of order.accessKeys) {
    const { series } = placeOf(accessKey);
    const { ruc, ambiente } = store.issuer;
    const codes: readonly string[] = Object.values(documentCodes);
    if (series.ruc !== ruc || series.ambiente !== ambiente || !codes.includes(series.codDoc)) continue;
    if (await deps.ledger.documents.byAccessKey(accessKey)) continue;
    const { account } = store;
    const answer = await deps.service(account, null, account.keyHash).descargarXml(accessKey);
    if (answer.kind === 'found')
      await meetStored(deps, {
        ...{ accessKey, stored: answer.facts, account: account.id, keyHash: account.keyHash },
      });
  }
}

/**
 * A document was announced that the ledger does not know: where its number lies behind all that its series has given, the
 * ledger lost it. False where it is none of ours.
 */
export async function meetAnnounced(deps: StepDeps, id: string, accessKey: string): Promise<boolean> {
  const account = deps.accounts.get(id);
  const { series, secuencial } = placeOf(accessKey);
  const { next } = await deps.ledger.sequences.frontier(series);
  if (!account || next === null || Number(secuencial) < next) return false;
  const { keyHash } = account;
  const answer = await deps.service(account, null, keyHash).descargarXml(accessKey);
  if (answer.kind !== 'found') return false;
  return (await meetStored(deps, { accessKey, stored: answer.facts, account: id, keyHash })) !== 'not-ours';
}

/** What a document says whose number is of another document of ours. */
export const numberOfAnother = (document: Document): string =>
  `El número ${documentNumber(document)} es de otro documento de esta tienda, que el registro había perdido. ${document.kind === 'factura' ? 'Este pedido se factura' : 'Este reembolso se acredita'} con el suyo, si ya lo tenía, o con uno nuevo cuando la serie siga.`;

/** Looks for everything the series' ledger lost. */
export const askCatchUp = (
  { work }: Pick<Tables, 'work'>,
  series: Series,
  { store, account, keyHash }: Pick<Shown, 'account' | 'keyHash'> & { store: Pick<Store, 'id'> },
  now: Date,
): Promise<void> =>
  work.ask({
    kind: 'catch-up',
    subject: seriesSubject(series),
    storeId: store.id,
    budget: keyHash,
    account: { id: account, ambiente: series.ambiente },
    priority: priorities.question,
    dueAt: now,
    payload: { account, keyHash },
  });

/** A reference leaves the scheme of a shop's address out. */
function storeNamed(
  { storeOf }: Pick<StepDeps, 'storeOf'>,
  { platform, shop }: { platform: string; shop: string },
): Store | undefined {
  const [store] = [shop, `https://${shop}`, `http://${shop}`].flatMap((one) => storeOf(platform, one) ?? []);
  return store && !isShadowShop(store.shop) ? store : undefined;
}

/** The order of a nota de crédito is that of the factura it changes. */
async function orderOfRefund(
  { documents }: Pick<Tables, 'documents'>,
  { documentoModificado }: AuthorizedXml,
  series: Series,
): Promise<string | null> {
  const [establecimiento = '', puntoEmision = '', secuencial = ''] =
    documentoModificado?.numero?.split('-') ?? [];
  const ofFacturas = { ...series, codDoc: documentCodes.factura, establecimiento, puntoEmision };
  return (await documents.byNumber(ofFacturas, secuencial))?.orderId ?? null;
}

/** The series and the number of a key. */
export function placeOf(accessKey: string): { series: Series; secuencial: string } {
  const { ruc_emisor: ruc, ambiente, tipo_comprobante: codDoc, numero } = readAccessKey(accessKey);
  const [establecimiento = '', puntoEmision = '', secuencial = ''] = numero.split('-');
  return {
    series: { ruc, ambiente: ambiente as Series['ambiente'], codDoc, establecimiento, puntoEmision },
    secuencial,
  };
}
