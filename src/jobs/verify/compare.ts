import { decode } from 'html-entities';
import type { CreditItemBody, FacturaBody, NotaCreditoBody, TotalBody } from '../../../mappers/body.ts';
import { netOf, type StatedRow, statedRows } from '../../../mappers/ways.ts';
import { type Amount, decimal, isWithinCents, sum } from '../../domain/money.ts';
import type { XmlLine, XmlTax } from '../../service/authorized-lines.ts';
import type { AuthorizedXml } from '../../service/authorized-xml.ts';

/** What left, as the attempt keeps it, and what became of it. */
export interface SentDocument {
  /** The service's code of the type (spec, supported types). */
  codDoc: string;
  accessKey: string;
  /** The entry of `informacion_adicional` that is ours. */
  reference: { name: string; value: string };
  body: FacturaBody | NotaCreditoBody;
  total: Amount;
}

/** In what an authorised document differs from what was sent: the names of fields in the words of the XML, never values. */
export interface Differences {
  fields: string[];
  /** Nothing but a cent of the service's own rounding: of the total, or of a tax whose base and rate agree. */
  isRounding: boolean;
}

/**
 * Holds an authorised document against what was sent, field by field ("detalle 2 cantidad"). Tolerant of how a value is
 * written, exact about what it is.
 */
export function compareAuthorized(sent: SentDocument, xml: AuthorizedXml): Differences {
  const { body } = sent;
  const differing: { field: string; isRounding: boolean }[] = [];
  const rows = Math.max(xml.totalImpuestos.length, 1);
  const hold: Hold = (field, read, value, same = sameText) => {
    const agrees = value === undefined ? read === null : same(read, value);
    if (!agrees) differing.push({ field, isRounding: isRounded(field, read, value, rows) });
  };
  head(hold, sent, xml);
  lines(hold, body.items, xml.detalles);
  taxes(hold, 'totalImpuesto', statedRows(body).map(totalTax), xml.totalImpuestos);
  if ('pagos' in body) payments(hold, body.pagos, xml);
  if ('documento_modificado' in body) modified(hold, body.documento_modificado, xml);
  return {
    fields: differing.map(({ field }) => field),
    isRounding: differing.length > 0 && differing.every((one) => one.isRounding),
  };
}

/** A cent for each tax the figure may hold; what is not in whole cents was not rounded to them. */
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

function head(hold: Hold, { codDoc, accessKey, reference, body, total }: SentDocument, xml: AuthorizedXml) {
  const { emisor, comprador, items } = body;
  const { codigo_establecimiento: place, codigo_puntoemision: point, secuencial } = emisor;
  hold('claveAcceso', xml.claveAcceso, accessKey);
  hold('ambiente', xml.ambiente, body.ambiente, sameFigure);
  hold('codDoc', xml.codDoc, codDoc);
  hold('ruc', xml.ruc, emisor.ruc);
  hold('número', xml.numero, `${place}-${point}-${secuencial}`);
  hold('fechaEmision', xml.fechaEmision, emisor.fecha_emision.replaceAll('/', '-'));
  hold('tipoIdentificacionComprador', xml.tipoIdentificacionComprador, comprador.tipo_identificacion);
  hold('identificacionComprador', xml.identificacionComprador, comprador.identificacion);
  hold('razonSocialComprador', xml.razonSocialComprador, comprador.razon_social);
  hold('importeTotal', xml.importeTotal, total, sameFigure);
  const withoutTax = sum(items.map(netOf));
  hold('totalSinImpuestos', xml.totalSinImpuestos, withoutTax.toFixed(2), sameFigure);
  const off = sum(items.map((item) => String(item.descuento)));
  // Only the factura's XML has a place for it (XSD factura 1.1.0, NotaCredito 1.1.0).
  if (codDoc === '01') hold('totalDescuento', xml.totalDescuento, off.toFixed(2), sameFigure);
  // Ecuador has no other; the XML may leave it out.
  if (xml.moneda !== null && !['dolar', 'dólar', 'usd'].includes(xml.moneda.toLowerCase()))
    hold('moneda', xml.moneda, 'DOLAR');
  hold(reference.name, xml.campoAdicional[reference.name] ?? null, reference.value);
}

function lines(hold: Hold, sent: readonly CreditItemBody[], read: readonly XmlLine[]): void {
  hold('detalles', String(read.length), sent.length, sameFigure);
  if (sent.length !== read.length) return;
  sent.forEach((item, index) => {
    const line = read[index] as XmlLine;
    const at = `detalle ${index + 1}`;
    hold(`${at} codigoPrincipal`, line.codigoPrincipal, item.codigo_principal);
    hold(`${at} codigoAuxiliar`, line.codigoAuxiliar, item.codigo_auxiliar);
    hold(`${at} descripcion`, line.descripcion, item.descripcion, sameStart);
    hold(`${at} cantidad`, line.cantidad, item.cantidad, sameFigure);
    hold(`${at} precioUnitario`, line.precioUnitario, item.precio_unitario, sameFigure);
    hold(`${at} descuento`, line.descuento, item.descuento, sameFigure);
    hold(`${at} precioTotalSinImpuesto`, line.precioTotalSinImpuesto, netOf(item).toNumber(), sameFigure);
    taxes(hold, `${at} impuesto`, linesTaxes(item), line.impuestos);
  });
}

function payments(hold: Hold, sent: FacturaBody['pagos'], { pagos: read }: AuthorizedXml): void {
  // Without payments the service may state one of its own.
  if (sent.length === 0) return;
  hold('pagos', String(read.length), sent.length, sameFigure);
  if (sent.length !== read.length) return;
  sent.forEach((pago, index) => {
    const row = read[index];
    const at = `pago ${index + 1}`;
    hold(`${at} formaPago`, row?.formaPago ?? null, pago.tipo, sameCode);
    hold(`${at} total`, row?.total ?? null, pago.total, sameFigure);
    if (pago.plazo !== undefined) hold(`${at} plazo`, row?.plazo ?? null, pago.plazo, sameFigure);
    if (pago.tiempo !== undefined) hold(`${at} unidadTiempo`, row?.unidadTiempo ?? null, pago.tiempo);
  });
}

/**
 * The store names the fields (`policy.creditNotes.documentoModificado`) and may have renamed them since: each value is
 * looked for among all that were sent (assumption A21).
 */
function modified(
  hold: Hold,
  sent: NotaCreditoBody['documento_modificado'],
  { documentoModificado: read }: AuthorizedXml,
): void {
  const values = Object.values(sent);
  const among = (field: string, text: string | null | undefined, same: Same) => {
    if (!values.some((value) => same(text ?? null, value))) hold(field, text ?? null, 'sent');
  };
  among('codDocModificado', read?.codDoc, sameType);
  among('numDocModificado', read?.numero, sameNumber);
  among('fechaEmisionDocSustento', read?.fecha, sameDate);
  among('motivo', read?.motivo, sameStart);
}

/** A tax as it must be; a figure that is the service's to reckon is left out. */
interface SentTax {
  codigo: string;
  codigoPorcentaje: string;
  baseImponible?: number;
  tarifa?: number;
  valor?: number;
}

/** Of a line only the codes leave (spec, item block); the base of IVA is its total unless ICE enters it. */
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

/** Rows of taxes in whatever order: each of ours must be there, and no other. */
function taxes(hold: Hold, at: string, sent: readonly SentTax[], read: readonly XmlTax[]): void {
  const left = [...read];
  for (const tax of sent) {
    const name = `${at} ${tax.codigo}/${tax.codigoPorcentaje}`;
    const found = left.findIndex(
      ({ codigo, codigoPorcentaje }) => codigo === tax.codigo && codigoPorcentaje === tax.codigoPorcentaje,
    );
    const [row] = found < 0 ? [] : left.splice(found, 1);
    if (!row) {
      hold(name, null, 'sent');
      continue;
    }
    const { baseImponible, tarifa, valor } = tax;
    if (baseImponible !== undefined)
      hold(`${name} baseImponible`, row.baseImponible, baseImponible, sameFigure);
    if (valor !== undefined) hold(`${name} valor`, row.valor, valor, sameFigure);
    // The nota de crédito's rows have none, and the factura's need none (XSD).
    if (tarifa !== undefined && row.tarifa !== null) hold(`${name} tarifa`, row.tarifa, tarifa, sameFigure);
  }
  for (const { codigo, codigoPorcentaje } of left)
    hold(`${at} ${codigo}/${codigoPorcentaje}`, 'read', undefined);
}

/** How one value of the XML is held against what was sent: by its meaning, not by how it is written. */
type Same = (read: string | null, sent: string | number) => boolean;

/** Notes a field whose value differs; what was not sent may not be there. */
type Hold = (field: string, read: string | null, sent: string | number | undefined, same?: Same) => void;

/** "10.0" is "10.00" is 10; anything that is no number is another value. */
const sameFigure: Same = (read, sent) => isFigure(read) && decimal(read).eq(decimal(sent));

const isFigure = (read: string | null): read is string => read !== null && /^-?\d+(\.\d+)?$/.test(read);

/** White space, entities written twice and composed letters apart, the texts are one. */
const sameText: Same = (read, sent) => read !== null && plain(read) === plain(String(sent));

/** A shorter text than this is no cut description but another one. */
const shortestCut = 20;

/** The same text, or its beginning where it was cut (assumption A30). */
const sameStart: Same = (read, sent) => {
  if (read === null || sameText(read, sent)) return read !== null;
  const start = plain(read);
  return [...start].length >= shortestCut && plain(String(sent)).startsWith(start);
};

/** "2026/11/20", as it is sent, is "20/11/2026" in the XML. */
const sameDate: Same = (read, sent) => read?.split('/').reverse().join('/') === sent;

/** The codes of documents and forms of payment have two digits in the XML. */
const sameCode: Same = (read, sent) => read !== null && /^\d+$/.test(read) && Number(read) === sent;

/** "01" is 1: the code of the type of a document. */
const sameType: Same = (read, sent) =>
  read !== null && /^\d{2}$/.test(read) && /^\d{1,2}$/.test(String(sent)) && Number(read) === Number(sent);

/** "001-001-000000123" is 001001000000123. */
const sameNumber: Same = (read, sent) =>
  read !== null && read.replaceAll('-', '') === String(sent).replaceAll('-', '');

function plain(text: string): string {
  return decode(text, { level: 'xml' }).normalize('NFC').replace(/\s+/g, ' ').trim();
}
