import { type Dated, ficha } from './dated.ts';

/** A row of SRI table 3 (tipos de comprobante). `ours`: facturapuente emits it. */
export interface DocumentTypeRow extends Dated {
  code: string;
  name: string;
  ours: boolean;
}

const row = (code: string, name: string, ours = false): DocumentTypeRow => ({
  code,
  name,
  ours,
  since: null,
  until: null,
  source: ficha('tabla 3'),
  checkedOn: '2026-11-20',
});

export const documentTypes: readonly DocumentTypeRow[] = [
  row('01', 'Factura', true),
  row('03', 'Liquidación de compra'),
  row('04', 'Nota de crédito', true),
  row('05', 'Nota de débito'),
  row('06', 'Guía de remisión'),
  row('07', 'Comprobante de retención'),
];
