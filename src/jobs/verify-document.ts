import { decode } from 'html-entities';
import {
  type CreditItemBody,
  type FacturaBody,
  type NotaCreditoBody,
  referenceField,
  type TotalBody,
} from '../../mappers/body.ts';
import { netOf, type StatedRow, statedRows } from '../../mappers/tax-computation.ts';
import {
  type Attempt,
  type Document,
  documentNumber,
  documentReference,
  isAuthorisedFactura,
} from '../domain/document.ts';
import { done, type JobOutcome } from '../domain/job.ts';
import { type Amount, decimal, isWithinCents, sum, toAmount } from '../domain/money.ts';
import { owner } from '../domain/settings.ts';
import type { AuthorizedXml, XmlLine, XmlTax } from '../service/authorized-xml.ts';
import {
  again,
  type Handler,
  type HandlerResult,
  isRevoked,
  type JobDeps,
  serviceOf,
  unknownStoreOf,
} from './deps.ts';
import { enqueueDocument, enqueueSync } from './enqueue.ts';
import { named } from './sentences.ts';

export interface SentDocument {
  /** Code of the document type (spec, supported types). */
  codDoc: string;
  accessKey: string;
  reference: { name: string; value: string };
  body: FacturaBody | NotaCreditoBody;
  total: Amount;
}

export interface Differences {
  /** The names of the fields that differ, as in the XML; never values. */
  fields: string[];
  /** All differences are a cent of the service's own rounding: of the total, or of a tax whose base and rate agree. */
  isRounding: boolean;
}

/** Field by field ("detalle 2 cantidad"), by value. */
export function compareAuthorized(sent: SentDocument, xml: AuthorizedXml): Differences {
  const { body } = sent;
  const differing: { field: string; isRounding: boolean }[] = [];
  const rows = Math.max(xml.totalImpuestos.length, 1);
  const compare: Compare = (field, read, value, same = sameText) => {
    const agrees = value === undefined ? read === null : same(read, value);
    if (!agrees) differing.push({ field, isRounding: isRounded(field, read, value, rows) });
  };
  head(compare, sent, xml);
  lines(compare, body.items, xml.detalles);
  taxes(compare, 'totalImpuesto', statedRows(body).map(totalTax), xml.totalImpuestos);
  if ('pagos' in body) payments(compare, body.pagos, xml);
  if ('documento_modificado' in body) modified(compare, body.documento_modificado, xml);
  return {
    fields: differing.map(({ field }) => field),
    isRounding: differing.length > 0 && differing.every((one) => one.isRounding),
  };
}

/** A cent for each tax in the figure, and only where both are in whole cents. */
function isRounded(
  field: string,
  read: string | null,
  sent: string | number | undefined,
  rows: number,
): boolean {
  const cents = /^(?:importeTotal|pago \d+ total)$/.test(field)
    ? rows
    : /^totalImpuesto \d+\/\d+ valor$/.test(field)
      ? 1
      : 0;
  if (cents === 0 || !isFigure(read) || sent === undefined) return false;
  return decimal(read).decimalPlaces() <= 2 && isWithinCents(read, sent, cents);
}

function head(
  compare: Compare,
  { codDoc, accessKey, reference, body, total }: SentDocument,
  xml: AuthorizedXml,
) {
  const { emisor, comprador, items } = body;
  const { codigo_establecimiento: place, codigo_puntoemision: point, secuencial } = emisor;
  compare('claveAcceso', xml.claveAcceso, accessKey);
  compare('ambiente', xml.ambiente, body.ambiente, sameFigure);
  compare('codDoc', xml.codDoc, codDoc);
  compare('ruc', xml.ruc, emisor.ruc);
  compare('número', xml.numero, `${place}-${point}-${secuencial}`);
  compare('fechaEmision', xml.fechaEmision, emisor.fecha_emision.replaceAll('/', '-'));
  compare('tipoIdentificacionComprador', xml.tipoIdentificacionComprador, comprador.tipo_identificacion);
  compare('identificacionComprador', xml.identificacionComprador, comprador.identificacion);
  compare('razonSocialComprador', xml.razonSocialComprador, comprador.razon_social);
  compare('importeTotal', xml.importeTotal, total, sameFigure);
  const withoutTax = sum(items.map(netOf));
  compare('totalSinImpuestos', xml.totalSinImpuestos, toAmount(withoutTax), sameFigure);
  const off = sum(items.map((item) => String(item.descuento)));
  // Only the factura's XML has a place for it (XSD factura 1.1.0, NotaCredito 1.1.0).
  if (codDoc === '01') compare('totalDescuento', xml.totalDescuento, toAmount(off), sameFigure);
  // Ecuador has no other; the XML may leave it out.
  if (xml.moneda !== null && !['dolar', 'dólar', 'usd'].includes(xml.moneda.toLowerCase()))
    compare('moneda', xml.moneda, 'DOLAR');
  compare(reference.name, xml.campoAdicional[reference.name] ?? null, reference.value);
}

function lines(compare: Compare, sent: readonly CreditItemBody[], read: readonly XmlLine[]): void {
  compare('detalles', String(read.length), sent.length, sameFigure);
  if (sent.length !== read.length) return;
  sent.forEach((item, index) => {
    const line = read[index] as XmlLine;
    const at = `detalle ${index + 1}`;
    compare(`${at} codigoPrincipal`, line.codigoPrincipal, item.codigo_principal);
    compare(`${at} codigoAuxiliar`, line.codigoAuxiliar, item.codigo_auxiliar);
    compare(`${at} descripcion`, line.descripcion, item.descripcion, sameStart);
    compare(`${at} cantidad`, line.cantidad, item.cantidad, sameFigure);
    compare(`${at} precioUnitario`, line.precioUnitario, item.precio_unitario, sameFigure);
    compare(`${at} descuento`, line.descuento, item.descuento, sameFigure);
    compare(`${at} precioTotalSinImpuesto`, line.precioTotalSinImpuesto, netOf(item).toNumber(), sameFigure);
    taxes(compare, `${at} impuesto`, linesTaxes(item), line.impuestos);
  });
}

function payments(compare: Compare, sent: FacturaBody['pagos'], { pagos: read }: AuthorizedXml): void {
  // Without payments the service may state one of its own.
  if (sent.length === 0) return;
  compare('pagos', String(read.length), sent.length, sameFigure);
  if (sent.length !== read.length) return;
  sent.forEach((pago, index) => {
    const row = read[index];
    const at = `pago ${index + 1}`;
    compare(`${at} formaPago`, row?.formaPago ?? null, pago.tipo, sameCode);
    compare(`${at} total`, row?.total ?? null, pago.total, sameFigure);
    if (pago.plazo !== undefined) compare(`${at} plazo`, row?.plazo ?? null, pago.plazo, sameFigure);
    if (pago.tiempo !== undefined) compare(`${at} unidadTiempo`, row?.unidadTiempo ?? null, pago.tiempo);
  });
}

/** The store names these fields (`policy.creditNotes.documentoModificado`): values are compared, not names (assumption A21). */
function modified(
  compare: Compare,
  sent: NotaCreditoBody['documento_modificado'],
  { documentoModificado: read }: AuthorizedXml,
): void {
  const values = Object.values(sent);
  const among = (field: string, text: string | null | undefined, same: Same) => {
    if (!values.some((value) => same(text ?? null, value))) compare(field, text ?? null, 'sent');
  };
  among('codDocModificado', read?.codDoc, sameType);
  among('numDocModificado', read?.numero, sameNumber);
  among('fechaEmisionDocSustento', read?.fecha, sameDate);
  among('motivo', read?.motivo, sameStart);
}

interface SentTax {
  codigo: string;
  codigoPorcentaje: string;
  baseImponible?: number;
  tarifa?: number;
  valor?: number;
}

/** Of a line only the codes are sent (spec, item block); the base of IVA is its total unless there is ICE. */
function linesTaxes(item: CreditItemBody): SentTax[] {
  const { tipo_iva, tipo_ice, tipo_irbpnr } = item;
  const own = (codigo: string, code: number | undefined): SentTax[] =>
    code === undefined ? [] : [{ codigo, codigoPorcentaje: String(code) }];
  const base = tipo_ice === undefined ? { baseImponible: netOf(item).toNumber() } : {};
  return [
    { codigo: '2', codigoPorcentaje: String(tipo_iva), ...base },
    ...own('3', tipo_ice),
    ...own('5', tipo_irbpnr),
  ];
}

const totalTax = (total: StatedRow & Partial<TotalBody>): SentTax => ({
  codigo: total.codigo,
  codigoPorcentaje: total.codigo_porcentaje,
  baseImponible: total.base_imponible,
  ...(total.tarifa === undefined ? {} : { tarifa: total.tarifa }),
  valor: total.valor,
});

/** In any order: each tax that was sent must be there, and no other. */
function taxes(compare: Compare, at: string, sent: readonly SentTax[], read: readonly XmlTax[]): void {
  const left = [...read];
  for (const tax of sent) {
    const name = `${at} ${tax.codigo}/${tax.codigoPorcentaje}`;
    const found = left.findIndex(
      ({ codigo, codigoPorcentaje }) => codigo === tax.codigo && codigoPorcentaje === tax.codigoPorcentaje,
    );
    const [row] = found < 0 ? [] : left.splice(found, 1);
    if (!row) {
      compare(name, null, 'sent');
      continue;
    }
    const { baseImponible, tarifa, valor } = tax;
    if (baseImponible !== undefined)
      compare(`${name} baseImponible`, row.baseImponible, baseImponible, sameFigure);
    if (valor !== undefined) compare(`${name} valor`, row.valor, valor, sameFigure);
    // The nota de crédito's rows have none, and the factura's need none (XSD).
    if (tarifa !== undefined && row.tarifa !== null)
      compare(`${name} tarifa`, row.tarifa, tarifa, sameFigure);
  }
  for (const { codigo, codigoPorcentaje } of left)
    compare(`${at} ${codigo}/${codigoPorcentaje}`, 'read', undefined);
}

type Same = (read: string | null, sent: string | number) => boolean;

type Compare = (field: string, read: string | null, sent: string | number | undefined, same?: Same) => void;

/** "10.0" is "10.00" is 10; anything that is no number is another value. */
const sameFigure: Same = (read, sent) => isFigure(read) && decimal(read).eq(decimal(sent));

const isFigure = (read: string | null): read is string => read !== null && /^-?\d+(\.\d+)?$/.test(read);

/** But for white space, entities escaped twice and composed letters. */
const sameText: Same = (read, sent) => read !== null && plain(read) === plain(String(sent));

/** A shorter text is not a cut description. */
const shortestCut = 20;

/** The same text, or its beginning where it was cut (assumption A30). */
const sameStart: Same = (read, sent) => {
  if (read === null || sameText(read, sent)) return read !== null;
  const start = plain(read);
  return [...start].length >= shortestCut && plain(String(sent)).startsWith(start);
};

const sameDate: Same = (read, sent) => read?.split('/').reverse().join('/') === sent;

const sameCode: Same = (read, sent) => read !== null && /^\d+$/.test(read) && Number(read) === sent;

const sameType: Same = (read, sent) =>
  read !== null && /^\d{2}$/.test(read) && /^\d{1,2}$/.test(String(sent)) && Number(read) === Number(sent);

const sameNumber: Same = (read, sent) =>
  read !== null && read.replaceAll('-', '') === String(sent).replaceAll('-', '');

function plain(text: string): string {
  return decode(text, { level: 'xml' }).normalize('NFC').replace(/\s+/g, ' ').trim();
}

export function differencesOf(
  document: Document,
  { body, total }: Pick<Attempt, 'body' | 'total'>,
  xml: AuthorizedXml,
  accessKey = document.accessKey ?? '',
): Differences {
  const reference = { name: referenceField, value: documentReference(document) };
  const sent = JSON.parse(body) as FacturaBody | NotaCreditoBody;
  return compareAuthorized({ codDoc: document.codDoc, accessKey, reference, body: sent, total }, xml);
}

export function verifyDocument(deps: JobDeps): Handler {
  return async (job) => {
    const document = await deps.ledger.documents.get(job.subject);
    if (document?.state !== 'authorized' || document.verification !== null) return done;
    const attempts = await deps.ledger.attempts.ofDocument(document.id);
    const sent = attempts.find(({ outcome }) => outcome === 'authorized');
    if (!sent || document.accessKey === null) return done;
    const store = deps.storeOf(document.platform, document.shop);
    if (!store) return unknownStoreOf(deps, document);
    const key = serviceOf(deps, document, store);
    const answer = await key.calls(job).descargarXml(document.accessKey);
    if (answer.kind === 'unauthorized') isRevoked(deps, key);
    if (answer.kind === 'not-found') await alertIfRefused(deps, document, key);
    if (answer.kind !== 'found') return later(deps, document);
    if (ageOf(deps, document) >= firstWait)
      await deps.alerts.over({ code: 'document-differs', subject: document.id });
    await keep(deps, document, answer.xml);
    const total = toAmount(answer.facts.importeTotal);
    await note(deps, document, differencesOf(document, sent, answer.facts), total);
    return done;
  };
}

/** An event reported it authorised, and no XML is there: whether the service says at once that it is not. */
async function alertIfRefused(
  deps: Pick<JobDeps, 'alerts'>,
  document: Document,
  key: ReturnType<typeof serviceOf>,
): Promise<void> {
  if (document.accessKey === null || key.gone) return;
  const answer = await key.calls(null).consultarComprobante(document.accessKey);
  if (answer.kind !== 'found' || answer.state !== 'error') return;
  await deps.alerts.raise({
    code: 'document-differs',
    subject: document.id,
    about: owner.shop(document),
    params: {
      why: 'denied',
      order: document.orderName,
      document: named(document),
      number: documentNumber(document) ?? '',
      accessKey: document.accessKey,
    },
  });
}

/** The result is written last: after a crash the document is compared, and reported, again. */
async function note(
  deps: Pick<JobDeps, 'alerts' | 'clock' | 'ledger' | 'log'>,
  document: Document,
  { fields, isRounding }: Differences,
  total: Amount,
): Promise<void> {
  const differs = fields.length > 0 && !isRounding;
  if (differs) await report(deps, document, fields);
  const said = differs ? fields : isRounding ? ({ code: 'rounding-difference', total } as const) : 'agrees';
  await deps.ledger.documents.verified(document.id, said, deps.clock.now());
}

async function report(
  deps: Pick<JobDeps, 'alerts' | 'log'>,
  document: Document,
  fields: string[],
): Promise<void> {
  deps.log.error(
    { store: document.storeId, order: document.orderId, number: documentNumber(document), fields },
    'The authorised document is not what was sent; a person must look at it',
  );
  await deps.alerts.raise({
    code: 'document-differs',
    subject: document.id,
    about: owner.shop(document),
    params: {
      why: 'fields',
      order: document.orderName,
      number: documentNumber(document) ?? '',
      fields: fields.join(', '),
      accessKey: document.accessKey ?? '',
    },
  });
}

async function keep(
  { ledger, clock, keepBytes }: Pick<JobDeps, 'clock' | 'keepBytes' | 'ledger'>,
  document: Document,
  xml: string,
): Promise<void> {
  if (keepBytes === 0) return;
  const now = clock.now();
  await ledger.files.keep({ documentId: document.id, kind: 'xml', bytes: Buffer.from(xml), now });
  await enqueueDocument(ledger, 'keep-files', document, now);
}

const minute = 60_000;
const firstWait = 2 * minute;
const longestWait = 24 * 60 * minute;
const giveUpAfter = 30 * longestWait;

const ageOf = ({ clock }: Pick<JobDeps, 'clock'>, { updatedAt }: Document): number =>
  clock.now().getTime() - Date.parse(updatedAt);

/** As long again as the document is old, from two minutes to a day, for a month. */
function later(deps: Pick<JobDeps, 'clock' | 'log'>, document: Document): JobOutcome {
  const age = ageOf(deps, document);
  if (age > giveUpAfter) {
    deps.log.warn(
      { store: document.storeId, number: documentNumber(document) },
      'The authorised XML could not be read for a month; the document stays unverified',
    );
    return done;
  }
  const wait = Math.min(Math.max(age, firstWait), longestWait);
  return again(deps.clock, wait, 'the authorised XML cannot be read yet');
}

/** Only the service says that a person annulled the factura at the portal. Without an answer nothing changes. */
export async function lookForAnnulment(deps: JobDeps, documentId: string): Promise<HandlerResult | null> {
  const credit = await deps.ledger.documents.get(documentId);
  if (credit?.kind !== 'nota-credito') return null;
  const factura = (await deps.ledger.documents.ofOrder(credit)).find(isAuthorisedFactura);
  if (!factura?.accessKey || factura.annulledAt !== null) return null;
  const store = deps.storeOf(factura.platform, factura.shop);
  if (!store) return unknownStoreOf(deps, factura);
  const key = serviceOf(deps, factura, store);
  const answer = await key.calls(null).consultarComprobante(factura.accessKey);
  if (answer.kind === 'throttled')
    return again(deps.clock, answer.retryAfterMs, 'the service asks to slow down');
  if (answer.kind === 'found' && answer.annulled) await noteAnnulled(deps, factura);
  return null;
}

/** Noted on the document, whose state stays final; people are alerted, and the order is planned again. */
export async function noteAnnulled(
  deps: Pick<JobDeps, 'ledger' | 'clock' | 'log' | 'alerts'>,
  document: Document,
): Promise<void> {
  const now = deps.clock.now();
  const number = documentNumber(document);
  await deps.ledger.transaction(async (tables) => {
    await tables.documents.annulled(document.id, now);
    await enqueueDocument(tables, 'write-back', document, now);
    await enqueueSync(tables, document, now);
  });
  deps.log.error(
    { store: document.storeId, order: document.orderId, number },
    'An authorised document was annulled at the portal of the authority; it is never credited',
  );
  await deps.alerts.raise({
    code: 'document-annulled',
    subject: document.id,
    about: owner.shop(document),
    params: { order: document.orderName, document: named(document), number: number ?? '' },
  });
}
