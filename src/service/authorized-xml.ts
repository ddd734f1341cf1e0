import { decode } from 'html-entities';
import { z } from 'zod';
import type { Day } from '../domain/clock.ts';
import { amountText, word } from '../domain/text.ts';

/**
 * The contents of an authorised factura or nota de crédito. The first part identifies it and is always there; the rest is
 * null or empty where the XML leaves it out. Figures are as written ("10.0").
 */
export interface AuthorizedXml {
  claveAcceso: string;
  codDoc: string;
  ruc: string;
  /** "001-001-000000001" */
  numero: string;
  secuencial: string;
  fechaEmision: Day;
  identificacionComprador: string;
  /** `importeTotal` of a factura, `valorModificacion` of a nota de crédito. */
  importeTotal: string;
  /** `infoAdicional` by name. */
  campoAdicional: Readonly<Record<string, string>>;

  ambiente: string | null;
  tipoIdentificacionComprador: string | null;
  razonSocialComprador: string | null;
  moneda: string | null;
  totalSinImpuestos: string | null;
  /** Of a factura. */
  totalDescuento: string | null;
  totalImpuestos: readonly XmlTax[];
  detalles: readonly XmlLine[];
  /** Of a factura. */
  pagos: readonly XmlPayment[];
  /** The document a nota de crédito changes, with its reason. */
  documentoModificado: ModifiedDocument | null;
}

/** `fecha` as written: "20/11/2026". */
export interface ModifiedDocument {
  codDoc: string | null;
  numero: string | null;
  fecha: string | null;
  motivo: string | null;
}

const digits = (count: number) => z.string().regex(new RegExp(`^\\d{${count}}$`));
const facts = z.object({
  claveAcceso: digits(49),
  codDoc: digits(2),
  ruc: digits(13),
  estab: digits(3),
  ptoEmi: digits(3),
  secuencial: digits(9),
  fechaEmision: word.regex(/^\d{2}\/\d{2}\/\d{4}$/),
  identificacionComprador: word.min(1),
  importeTotal: amountText.regex(/^\d+(\.\d+)?$/),
});

/**
 * Reads the authority's wrapper with the document inside, or the document alone (assumption A5; ficha técnica SRI); null for
 * anything else.
 */
export function readAuthorizedXml(xml: string): AuthorizedXml | null {
  const document = readDocument(xml);
  if (!document) return null;
  const { leaves, info } = document;
  const head = fieldsOf(leaves, headFields, 'infoTributaria/');
  const body = fieldsOf(leaves, infoFields, `${info}/`);
  const read = facts.safeParse({
    ...head,
    ...body,
    importeTotal: body.importeTotal ?? textOf(leaves, `${info}/valorModificacion`),
  });
  if (!read.success) return null;
  const { estab, ptoEmi, ...rest } = read.data;
  const additional = leaves
    .filter(({ path }) => path === 'infoAdicional/campoAdicional')
    .map((leaf) => [leaf.attributes.get('nombre') ?? '', leaf.text] as const);
  return {
    ...rest,
    numero: `${estab}-${ptoEmi}-${rest.secuencial}`,
    fechaEmision: rest.fechaEmision.split('/').reverse().join('-'),
    campoAdicional: Object.fromEntries(additional),
    ambiente: head.ambiente,
    tipoIdentificacionComprador: body.tipoIdentificacionComprador,
    razonSocialComprador: body.razonSocialComprador,
    moneda: body.moneda,
    totalSinImpuestos: body.totalSinImpuestos,
    totalDescuento: body.totalDescuento,
    totalImpuestos: readTaxes(leaves, `${info}/totalConImpuestos/totalImpuesto`),
    detalles: elementsAt(leaves, 'detalles/detalle').map(readLine),
    pagos: elementsAt(leaves, 'infoFactura/pagos/pago').map((payment) => fieldsOf(payment, paymentFields)),
    documentoModificado: info === 'infoFactura' ? null : readModified(leaves, info),
  };
}

/** The document's own leaves, with paths relative to its root, and the element that holds its head. */
function readDocument(
  xml: string,
): { leaves: XmlLeaf[]; info: 'infoFactura' | 'infoNotaCredito' } | undefined {
  let leaves: XmlLeaf[];
  try {
    leaves = readXmlLeaves(xml);
    const inside = leaves.find(({ path, text }) => /(^|\/)comprobante$/.test(path) && text.startsWith('<'));
    if (inside) leaves = readXmlLeaves(inside.text);
  } catch {
    return undefined;
  }
  for (const { path } of leaves) {
    const [root, name] = /^(?:.*\/)?(factura|notaCredito)(?=\/infoTributaria\/)/.exec(path) ?? [];
    if (root === undefined) continue;
    const own = leaves.filter((leaf) => leaf.path.startsWith(`${root}/`));
    return {
      leaves: own.map((leaf) => ({ ...leaf, path: leaf.path.slice(root.length + 1) })),
      info: name === 'factura' ? 'infoFactura' : 'infoNotaCredito',
    };
  }
  return undefined;
}

const readModified = (leaves: readonly XmlLeaf[], info: string): ModifiedDocument => ({
  codDoc: textOf(leaves, `${info}/codDocModificado`),
  numero: textOf(leaves, `${info}/numDocModificado`),
  fecha: textOf(leaves, `${info}/fechaEmisionDocSustento`),
  motivo: textOf(leaves, `${info}/motivo`),
});

const headFields = ['claveAcceso', 'codDoc', 'ruc', 'estab', 'ptoEmi', 'secuencial', 'ambiente'] as const;
const infoFields = [
  'fechaEmision',
  'identificacionComprador',
  'importeTotal',
  'tipoIdentificacionComprador',
  'razonSocialComprador',
  'moneda',
  'totalSinImpuestos',
  'totalDescuento',
] as const;
const taxFields = ['codigo', 'codigoPorcentaje', 'tarifa', 'baseImponible', 'valor'] as const;
const paymentFields = ['formaPago', 'total', 'plazo', 'unidadTiempo'] as const;
const lineFields = [
  'descripcion',
  'cantidad',
  'precioUnitario',
  'descuento',
  'precioTotalSinImpuesto',
] as const;

/** Texts by element name; null where the XML has none; figures as written. */
type Fields<Name extends string> = Record<Name, string | null>;

/** One tax, of a line or of the whole document. */
export type XmlTax = Fields<(typeof taxFields)[number]>;

/** One line. A nota de crédito calls the codes `codigoInterno` and `codigoAdicional`. */
export type XmlLine = Fields<(typeof lineFields)[number] | 'codigoPrincipal' | 'codigoAuxiliar'> & {
  impuestos: XmlTax[];
};

/** One way of payment of a factura. */
type XmlPayment = Fields<(typeof paymentFields)[number]>;

/** The leaves of one element, with paths relative to it. */
type Part = readonly XmlLeaf[];

/** The text of the element with one of these paths; null without one. */
function textOf(leaves: Part, ...names: string[]): string | null {
  return leaves.find(({ path }) => names.includes(path))?.text ?? null;
}

/** The texts of several elements by name, all under one path. */
function fieldsOf<Name extends string>(leaves: Part, names: readonly Name[], path = ''): Fields<Name> {
  return Object.fromEntries(names.map((name) => [name, textOf(leaves, `${path}${name}`)])) as Fields<Name>;
}

/**
 * The elements of one path, each with the leaves inside it, in their order. Leaves come in the order of their
 * ends, so an element comes right after everything it holds.
 */
function elementsAt(leaves: Part, path: string): Part[] {
  const inside = `${path}/`;
  const found: XmlLeaf[][] = [];
  let current: XmlLeaf[] = [];
  for (const leaf of leaves) {
    if (leaf.path.startsWith(inside)) current.push({ ...leaf, path: leaf.path.slice(inside.length) });
    if (leaf.path !== path) continue;
    found.push(current);
    current = [];
  }
  return found;
}

/** The taxes of the document or of a line (XSD factura 1.1.0 and NotaCredito 1.1.0). */
const readTaxes = (leaves: Part, path: string): XmlTax[] =>
  elementsAt(leaves, path).map((tax) => fieldsOf(tax, taxFields));

const readLine = (line: Part): XmlLine => ({
  codigoPrincipal: textOf(line, 'codigoPrincipal', 'codigoInterno'),
  codigoAuxiliar: textOf(line, 'codigoAuxiliar', 'codigoAdicional'),
  ...fieldsOf(line, lineFields),
  impuestos: readTaxes(line, 'impuestos/impuesto'),
});

/** One element with text: its path ("factura/infoTributaria/ruc"), its attributes, its own text. */
interface XmlLeaf {
  path: string;
  attributes: ReadonlyMap<string, string>;
  text: string;
}

/** XML that is not well formed; the sentence quotes none of it. */
class XmlError extends Error {}

/** Documents have some eight levels, and the authority's wrapper four more. */
const deepest = 50;

// In this order: comment, CDATA, processing instruction, declaration, tag, text. No alternative overlaps
// another, so a hostile document costs one pass.
const token =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE[^[\]>]*>|<(\/?)([\w:.-]{1,100})(?![\w:.-])((?:"[^"]*"|'[^']*'|[^'"<>])*)>|([^<]+)/y;
const attribute = /(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * Reads every element with text, in the order of their ends, without namespace prefixes. Enough for the elements of an
 * authorised document that we compare; no validation.
 */
function readXmlLeaves(xml: string): XmlLeaf[] {
  const leaves: XmlLeaf[] = [];
  const open: { name: string; attributes: string; text: string }[] = [];
  for (let at = xml.startsWith('\uFEFF') ? 1 : 0; at < xml.length; at = token.lastIndex) {
    token.lastIndex = at;
    const found = token.exec(xml);
    if (!found) throw new XmlError(`The XML cannot be read from character ${at} on.`);
    const [, cdata, slash, tag, rest = '', text] = found;
    const current = open.at(-1);
    if (current) current.text += cdata ?? (text === undefined ? '' : decode(text, { level: 'xml' }));
    if (tag === undefined) continue;
    const name = tag.slice(tag.indexOf(':') + 1);
    if (slash) {
      if (current?.name !== name) throw new XmlError(`The XML closes an element that is not open at ${at}.`);
      leaves.push({
        path: open.map((one) => one.name).join('/'),
        attributes: readAttributes(current.attributes),
        text: current.text.trim(),
      });
      open.pop();
    } else if (!rest.endsWith('/')) {
      if (open.length >= deepest) throw new XmlError(`The XML has more than ${deepest} levels at ${at}.`);
      open.push({ name, attributes: rest, text: '' });
    }
  }
  if (open.length > 0) throw new XmlError('The XML ends before its elements do.');
  return leaves;
}

function readAttributes(text: string): Map<string, string> {
  const read = new Map<string, string>();
  for (const [, name = '', double, single] of text.matchAll(attribute)) {
    read.set(name, decode(double ?? single ?? '', { level: 'xml' }));
  }
  return read;
}
