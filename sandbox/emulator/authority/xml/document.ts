import type { WrittenDocument } from '../../emission/documents.ts';
import { writeFactura } from './factura.ts';
import { writeGuiaRemision } from './guia-remision.ts';
import { writeNotaCredito } from './nota-credito.ts';
import { writeRetencion } from './retencion.ts';

/** The document as the tax authority receives it. */
export function writeDocument(document: WrittenDocument): string {
  switch (document.tipo) {
    case '01':
      return writeFactura(document);
    case '04':
      return writeNotaCredito(document);
    case '06':
      return writeGuiaRemision(document);
    case '07':
      return writeRetencion(document);
  }
}
