import { z } from 'zod';
import type { Day } from '../core/calendar.ts';
import { readXmlLeaves, type XmlLeaf } from './xml-text.ts';

/** What an authorised document says about itself: enough to tell whether it is one of ours. */
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
}

const digits = (count: number) => z.string().regex(new RegExp(`^\\d{${count}}$`));
const facts = z.object({
  claveAcceso: digits(49),
  codDoc: digits(2),
  ruc: digits(13),
  estab: digits(3),
  ptoEmi: digits(3),
  secuencial: digits(9),
  fechaEmision: z.string().regex(/^\d{2}\/\d{2}\/\d{4}$/),
  identificacionComprador: z.string().min(1),
  importeTotal: z.string().regex(/^\d+(\.\d+)?$/),
});

/**
 * Reads the authority's wrapper with the document inside, or the bare document (assumption A5; ficha técnica SRI). Answers null for everything that is neither.
 */
export function readAuthorizedXml(xml: string): AuthorizedXml | null {
  let leaves: XmlLeaf[];
  try {
    leaves = readXmlLeaves(xml);
    const inside = leaves.find(({ path, text }) => /(^|\/)comprobante$/.test(path) && text.startsWith('<'));
    if (inside) leaves = readXmlLeaves(inside.text);
  } catch {
    return null;
  }
  const text = (part: string) =>
    leaves.find(({ path }) => new RegExp(`(^|/)(factura|notaCredito)/${part}$`).test(path))?.text;
  const info = '(infoFactura|infoNotaCredito)';
  const read = facts.safeParse({
    claveAcceso: text('infoTributaria/claveAcceso'),
    codDoc: text('infoTributaria/codDoc'),
    ruc: text('infoTributaria/ruc'),
    estab: text('infoTributaria/estab'),
    ptoEmi: text('infoTributaria/ptoEmi'),
    secuencial: text('infoTributaria/secuencial'),
    fechaEmision: text(`${info}/fechaEmision`),
    identificacionComprador: text(`${info}/identificacionComprador`),
    importeTotal: text(`${info}/(importeTotal|valorModificacion)`),
  });
  if (!read.success) return null;
  const { estab, ptoEmi, ...rest } = read.data;
  const additional = leaves
    .filter(({ path }) => path.endsWith('/infoAdicional/campoAdicional'))
    .map((leaf) => [leaf.attributes.get('nombre') ?? '', leaf.text] as const);
  return {
    ...rest,
    numero: `${estab}-${ptoEmi}-${rest.secuencial}`,
    fechaEmision: rest.fechaEmision.split('/').reverse().join('-'),
    campoAdicional: Object.fromEntries(additional),
  };
}
