import type { XmlLeaf } from './xml-text.ts';

/** One tax, of a line or of the whole document. What the XML does not say is null; figures as they are written. */
export interface XmlTax {
  codigo: string | null;
  codigoPorcentaje: string | null;
  tarifa: string | null;
  baseImponible: string | null;
  valor: string | null;
}

/** One line. A nota de crédito calls the codes `codigoInterno` and `codigoAdicional`. */
export interface XmlLine {
  codigoPrincipal: string | null;
  codigoAuxiliar: string | null;
  descripcion: string | null;
  cantidad: string | null;
  precioUnitario: string | null;
  descuento: string | null;
  precioTotalSinImpuesto: string | null;
  impuestos: XmlTax[];
}

/** One way of payment of a factura. */
export interface XmlPayment {
  formaPago: string | null;
  total: string | null;
  plazo: string | null;
  unidadTiempo: string | null;
}

/** The leaves of one element, their paths counted from it. */
type Part = readonly XmlLeaf[];

/** What an element says of itself by one of these names; null when it says nothing. */
export function textOf(leaves: Part, ...names: string[]): string | null {
  return leaves.find(({ path }) => names.includes(path))?.text ?? null;
}

/**
 * The elements of one path, each with the leaves inside it, in their order. Leaves come in the order of their
 * ends, so an element comes right after everything it holds.
 */
export function elementsAt(leaves: Part, path: string): Part[] {
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
export const readTaxes = (leaves: Part, path: string): XmlTax[] =>
  elementsAt(leaves, path).map((tax) => ({
    codigo: textOf(tax, 'codigo'),
    codigoPorcentaje: textOf(tax, 'codigoPorcentaje'),
    tarifa: textOf(tax, 'tarifa'),
    baseImponible: textOf(tax, 'baseImponible'),
    valor: textOf(tax, 'valor'),
  }));

export const readLines = (leaves: Part): XmlLine[] =>
  elementsAt(leaves, 'detalles/detalle').map((line) => ({
    codigoPrincipal: textOf(line, 'codigoPrincipal', 'codigoInterno'),
    codigoAuxiliar: textOf(line, 'codigoAuxiliar', 'codigoAdicional'),
    descripcion: textOf(line, 'descripcion'),
    cantidad: textOf(line, 'cantidad'),
    precioUnitario: textOf(line, 'precioUnitario'),
    descuento: textOf(line, 'descuento'),
    precioTotalSinImpuesto: textOf(line, 'precioTotalSinImpuesto'),
    impuestos: readTaxes(line, 'impuestos/impuesto'),
  }));

export const readPayments = (leaves: Part): XmlPayment[] =>
  elementsAt(leaves, 'infoFactura/pagos/pago').map((payment) => ({
    formaPago: textOf(payment, 'formaPago'),
    total: textOf(payment, 'total'),
    plazo: textOf(payment, 'plazo'),
    unidadTiempo: textOf(payment, 'unidadTiempo'),
  }));
