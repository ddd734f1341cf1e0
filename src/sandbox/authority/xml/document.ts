import type { PricedDocument } from '../../emission/documents.ts';
import { writeFactura } from './factura.ts';

/** The document as the tax authority receives it. */
export function writeDocument(document: PricedDocument): string {
  if (document.tipo === '01') return writeFactura(document);
  throw new Error('The XML of a nota de crédito is not written yet.');
}
