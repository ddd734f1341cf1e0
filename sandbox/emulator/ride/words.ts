import type { WrittenDocument } from '../emission/documents.ts';

/** What a kind of document is called: as a title, and inside a sentence. */
export const words: Readonly<Record<WrittenDocument['tipo'], { title: string; name: string }>> = {
  '01': { title: 'FACTURA', name: 'Factura' },
  '04': { title: 'NOTA DE CRÉDITO', name: 'Nota de crédito' },
  '06': { title: 'GUÍA DE REMISIÓN', name: 'Guía de remisión' },
  '07': { title: 'COMPROBANTE DE RETENCIÓN', name: 'Comprobante de retención' },
};

/** The documents another one may be about, as its RIDE names them (ficha técnica, tabla 3). */
export const documentNames: Readonly<Record<string, string>> = {
  '01': 'FACTURA',
  '03': 'LIQUIDACIÓN DE COMPRA',
  '04': 'NOTA DE CRÉDITO',
  '05': 'NOTA DE DÉBITO',
};
