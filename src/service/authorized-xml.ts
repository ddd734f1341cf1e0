import { z } from 'zod';
import type { Day } from '../domain/calendar.ts';
import { amountText, word } from '../domain/text.ts';
import {
  readLines,
  readPayments,
  readTaxes,
  textOf,
  type XmlLine,
  type XmlPayment,
  type XmlTax,
} from './authorized-lines.ts';
import { readXmlLeaves, type XmlLeaf } from './xml-text.ts';

/**
 * What an authorised factura or nota de crédito says: the first part tells whose it is and must be there, the rest
 * is null or empty where the XML leaves it out. Figures stand as they are written ("10.0").
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

/** `fecha` as it is written: "20/11/2026". */
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
 * Reads the authority's wrapper with the document inside, or the bare document (assumption A5; ficha técnica SRI).
 * Answers null for everything that is neither.
 */
export function readAuthorizedXml(xml: string): AuthorizedXml | null {
  const document = readDocument(xml);
  if (!document) return null;
  const { leaves, info } = document;
  const text = (path: string) => textOf(leaves, path) ?? undefined;
  const read = facts.safeParse({
    claveAcceso: text('infoTributaria/claveAcceso'),
    codDoc: text('infoTributaria/codDoc'),
    ruc: text('infoTributaria/ruc'),
    estab: text('infoTributaria/estab'),
    ptoEmi: text('infoTributaria/ptoEmi'),
    secuencial: text('infoTributaria/secuencial'),
    fechaEmision: text(`${info}/fechaEmision`),
    identificacionComprador: text(`${info}/identificacionComprador`),
    importeTotal: text(`${info}/importeTotal`) ?? text(`${info}/valorModificacion`),
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
    ambiente: textOf(leaves, 'infoTributaria/ambiente'),
    tipoIdentificacionComprador: textOf(leaves, `${info}/tipoIdentificacionComprador`),
    razonSocialComprador: textOf(leaves, `${info}/razonSocialComprador`),
    moneda: textOf(leaves, `${info}/moneda`),
    totalSinImpuestos: textOf(leaves, `${info}/totalSinImpuestos`),
    totalDescuento: textOf(leaves, `${info}/totalDescuento`),
    totalImpuestos: readTaxes(leaves, `${info}/totalConImpuestos/totalImpuesto`),
    detalles: readLines(leaves),
    pagos: readPayments(leaves),
    documentoModificado: info === 'infoFactura' ? null : readModified(leaves, info),
  };
}

/** The document's own leaves, their paths counted from its root, and the element that holds its head. */
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
