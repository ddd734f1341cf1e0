import type { PricedDocument } from '../emission/documents.ts';

/** What a kind of document is called: as a title, and inside a sentence. */
export const words: Readonly<Record<PricedDocument['tipo'], { title: string; name: string }>> = {
  '01': { title: 'FACTURA', name: 'Factura' },
  '04': { title: 'NOTA DE CRÉDITO', name: 'Nota de crédito' },
};

/** The documents a nota de crédito can modify, as its RIDE names them (ficha técnica, tabla 3). */
export const documentNames: Readonly<Record<string, string>> = {
  '01': 'FACTURA',
  '03': 'LIQUIDACIÓN DE COMPRA',
  '05': 'NOTA DE DÉBITO',
};
