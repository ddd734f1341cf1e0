import { SaxesParser } from 'saxes';
import { z } from 'zod';
import type { Day } from '../domain/clock.ts';
import { amountText, word } from '../domain/text.ts';

/** Null or empty where the XML omits a value. Figures are as written ("10.0"). */
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
  totalDescuento: string | null;
  totalImpuestos: readonly XmlTax[];
  detalles: readonly XmlLine[];
  pagos: readonly XmlPayment[];
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

const infos: ReadonlyMap<string, string> = new Map([
  ['factura', 'infoFactura'],
  ['notaCredito', 'infoNotaCredito'],
]);

/** The authority's wrapper with the document inside, or the document alone (assumption A5); null for anything else. */
export function readAuthorizedXml(xml: string): AuthorizedXml | null {
  const outer = parse(xml);
  const wrapped = outer.find(({ name }) => name === 'comprobante')?.text ?? '';
  const document = outer.find(isDocument) ?? parse(wrapped).find(isDocument);
  if (!document) return null;
  const head = childOf(document, 'infoTributaria');
  const info = childOf(document, infos.get(document.name) ?? '');
  const [headTexts, texts] = [textsOf(head, headFields), textsOf(info, infoFields)];
  const read = facts.safeParse({
    ...headTexts,
    ...texts,
    importeTotal: texts.importeTotal ?? textOf(info, 'valorModificacion'),
  });
  if (!read.success) return null;
  const { estab, ptoEmi, ...rest } = read.data;
  const additional = childrenOf(childOf(document, 'infoAdicional'), 'campoAdicional').map(
    ({ attributes, text }) => [attributes.nombre ?? '', text.trim()] as const,
  );
  return {
    ...rest,
    numero: `${estab}-${ptoEmi}-${rest.secuencial}`,
    fechaEmision: rest.fechaEmision.split('/').reverse().join('-'),
    campoAdicional: Object.fromEntries(additional),
    ambiente: headTexts.ambiente,
    tipoIdentificacionComprador: texts.tipoIdentificacionComprador,
    razonSocialComprador: texts.razonSocialComprador,
    moneda: texts.moneda,
    totalSinImpuestos: texts.totalSinImpuestos,
    totalDescuento: texts.totalDescuento,
    totalImpuestos: readTaxes(childOf(info, 'totalConImpuestos'), 'totalImpuesto'),
    detalles: childrenOf(childOf(document, 'detalles'), 'detalle').map(readLine),
    pagos: childrenOf(childOf(info, 'pagos'), 'pago').map((payment) => textsOf(payment, paymentFields)),
    documentoModificado: document.name === 'notaCredito' ? readModified(info) : null,
  };
}

const readModified = (info: Element | undefined): ModifiedDocument => ({
  codDoc: textOf(info, 'codDocModificado'),
  numero: textOf(info, 'numDocModificado'),
  fecha: textOf(info, 'fechaEmisionDocSustento'),
  motivo: textOf(info, 'motivo'),
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

type Fields<Name extends string> = Record<Name, string | null>;

export type XmlTax = Fields<(typeof taxFields)[number]>;

/** One line. A nota de crédito calls the codes `codigoInterno` and `codigoAdicional`. */
export type XmlLine = Fields<(typeof lineFields)[number] | 'codigoPrincipal' | 'codigoAuxiliar'> & {
  impuestos: XmlTax[];
};

export type XmlPayment = Fields<(typeof paymentFields)[number]>;

/** XSD factura 1.1.0 and NotaCredito 1.1.0. */
const readTaxes = (parent: Element | undefined, name: string): XmlTax[] =>
  childrenOf(parent, name).map((tax) => textsOf(tax, taxFields));

const readLine = (line: Element): XmlLine => ({
  codigoPrincipal: textOf(line, 'codigoPrincipal') ?? textOf(line, 'codigoInterno'),
  codigoAuxiliar: textOf(line, 'codigoAuxiliar') ?? textOf(line, 'codigoAdicional'),
  ...textsOf(line, lineFields),
  impuestos: readTaxes(childOf(line, 'impuestos'), 'impuesto'),
});

interface Element {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: Element[];
  text: string;
}

/** None where the XML is not well formed, or has a document type, which may name entities. */
function parse(xml: string): Element[] {
  const all: Element[] = [];
  const open: Element[] = [];
  const addText = (text: string) => {
    const current = open.at(-1);
    if (current) current.text += text;
  };
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name: name.slice(name.indexOf(':') + 1), attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
    all.push(element);
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => void open.pop());
  parser.on('doctype', () => void parser.fail('a document type'));
  try {
    parser.write(xml.trim()).close();
    return all;
  } catch {
    return [];
  }
}

const isDocument = (element: Element): boolean =>
  infos.has(element.name) && childOf(element, 'infoTributaria') !== undefined;

const childrenOf = (parent: Element | undefined, name: string): Element[] =>
  parent?.children.filter((child) => child.name === name) ?? [];

const childOf = (parent: Element | undefined, name: string): Element | undefined =>
  parent?.children.find((child) => child.name === name);

const textOf = (parent: Element | undefined, name: string): string | null =>
  childOf(parent, name)?.text.trim() || null;

const textsOf = <Name extends string>(parent: Element | undefined, names: readonly Name[]): Fields<Name> =>
  Object.fromEntries(names.map((name) => [name, textOf(parent, name)])) as Fields<Name>;
