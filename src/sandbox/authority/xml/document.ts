import type { PricedDocument } from '../../emission/documents.ts';
import { writeFactura } from './factura.ts';
import { writeNotaCredito } from './nota-credito.ts';

/** The document as the tax authority receives it. */
export function writeDocument(document: PricedDocument): string {
  return document.tipo === '01' ? writeFactura(document) : writeNotaCredito(document);
}
