import { type Dated, ficha } from './dated.ts';

/** Until when a factura of these days can be annulled online: a day of the month after it. */
export interface AnnulmentRow extends Dated {
  dayOfNextMonth: number;
}

/** By the factura's day of issue. A day of rest moves it to the next working day. */
export const annulmentRules: readonly AnnulmentRow[] = [
  {
    dayOfNextMonth: 10,
    since: null,
    until: '2025-07-31',
    source: 'Resolución NAC-DGERCGC25-00000014, antes de la 00000017 (fuente secundaria)',
    checkedOn: '2026-11-20',
  },
  {
    dayOfNextMonth: 7,
    since: '2025-08-01',
    until: null,
    source: 'Resolución NAC-DGERCGC25-00000014, reformada por la NAC-DGERCGC25-00000017 (fuente secundaria)',
    checkedOn: '2026-11-20',
  },
];

/** Rules of sending and undoing documents that are told, and kept elsewhere in the code as plain facts. */
export const documentRules: readonly (Dated & { code: string; name: string })[] = [
  {
    code: 'envío',
    name: 'El comprobante se transmite en el momento de emitirlo, con la fecha de ese día',
    since: '2026-01-01',
    until: null,
    source: 'Resolución NAC-DGERCGC25-00000017 (fuente secundaria)',
    checkedOn: '2026-11-20',
  },
  {
    code: 'consumidor final',
    name: 'Su factura no se anula ni admite nota de crédito',
    since: '2026-01-01',
    until: null,
    source: `Resoluciones NAC-DGERCGC25-00000014 y NAC-DGERCGC25-00000017 (fuente secundaria); ${ficha('tabla 6')}`,
    checkedOn: '2026-11-20',
  },
  {
    code: 'RUC Proveedor',
    name: 'Todo comprobante lleva el RUC de quien provee el sistema; lo agrega el servicio',
    since: '2026-09-26',
    until: null,
    source: 'Resolución NAC-DGERCGC26-00000027, art. 5; ficha técnica SRI 2.34, anexo 26 (fuente secundaria)',
    checkedOn: '2026-11-20',
  },
];
