/** When a row of a table is in force. Days in Ecuador, "2026-01-31"; null: no known end (or beginning). */
export interface Dated {
  since: string | null;
  until: string | null;
  /** The norm or document, with its version; states when only a secondary source was read. */
  source: string;
  /** The day the row was last compared with its source. */
  checkedOn: string;
}

const checkedOn = '2026-11-20';

export const always = { since: null, until: null, checkedOn } as const;

export const isInForce = ({ since, until }: Pick<Dated, 'since' | 'until'>, on: string): boolean =>
  (since ?? on) <= on && on <= (until ?? on);

/** Version 2.32 (October 2025) was read; the current 2.34 (July 2026) is known from secondary sources. */
export const ficha = (place: string): string =>
  `Ficha técnica SRI 2.32, ${place}; la 2.34, vigente, por fuente secundaria`;

/** USD, taxes included. */
interface LimitRow extends Dated {
  limit: string;
}

/** "No supera": the amount itself is allowed. */
export const finalConsumerLimits: readonly LimitRow[] = [
  {
    ...always,
    limit: '200.00',
    until: '2022-10-30',
    source:
      'Reglamento de Comprobantes de Venta, art. 19 num. 1, antes del Decreto Ejecutivo 586 (fuente secundaria)',
  },
  {
    ...always,
    limit: '50.00',
    since: '2022-10-31',
    source: `Reglamento de Comprobantes de Venta, art. 19 num. 1, por el Decreto Ejecutivo 586 (fuente secundaria); ${ficha('§9.10')}`,
  },
];

/** USD from which bancarización applies. Secondary sources only (docs/assumptions.md, L1). */
export const bankingLimits: readonly LimitRow[] = [
  {
    ...always,
    limit: '1000.00',
    since: '2016-04-29',
    until: '2023-12-19',
    source: 'LRTI, art. 103, por la Ley de Equilibrio de las Finanzas Públicas (fuente secundaria)',
  },
  {
    ...always,
    limit: '500.00',
    since: '2023-12-20',
    source: 'LRTI, art. 103, por la Ley de Eficiencia Económica y Generación de Empleo (fuente secundaria)',
  },
];

/** Percent of the sale without taxes. */
export const tipLimit: Dated & { percent: number } = { ...always, percent: 10, source: ficha('tabla 21') };

/** SRI table 6 (tipo de identificación del comprador). */
interface IdentificationRow extends Dated {
  code: string;
  name: string;
}

const table6 = { ...always, source: ficha('tabla 6') } as const;

export const identificationTable = {
  ruc: { code: '04', name: 'RUC', ...table6 },
  cedula: { code: '05', name: 'Cédula', ...table6 },
  pasaporte: { code: '06', name: 'Pasaporte', ...table6 },
  'consumidor-final': { code: '07', name: 'Consumidor final', ...table6 },
  exterior: { code: '08', name: 'Identificación del exterior', ...table6 },
} as const satisfies Record<string, IdentificationRow>;

export type IdentificationCode = (typeof identificationTable)[keyof typeof identificationTable]['code'];

export interface AnnulmentRow extends Dated {
  dayOfNextMonth: number;
}

/** By the factura's day of issue. A deadline on a day of rest moves to the next working day. */
export const annulmentRules: readonly AnnulmentRow[] = [
  {
    ...always,
    dayOfNextMonth: 10,
    until: '2025-07-31',
    source: 'Resolución NAC-DGERCGC25-00000014, antes de la 00000017 (fuente secundaria)',
  },
  {
    ...always,
    dayOfNextMonth: 7,
    since: '2025-08-01',
    source: 'Resolución NAC-DGERCGC25-00000014, reformada por la NAC-DGERCGC25-00000017 (fuente secundaria)',
  },
];

export const documentRules: readonly (Dated & { code: string; name: string })[] = [
  {
    ...always,
    code: 'envío',
    name: 'El comprobante se transmite en el momento de emitirlo, con la fecha de ese día',
    since: '2026-01-01',
    source: 'Resolución NAC-DGERCGC25-00000017 (fuente secundaria)',
  },
  {
    ...always,
    code: 'consumidor final',
    name: 'Su factura no se anula ni admite nota de crédito',
    since: '2026-01-01',
    source: `Resoluciones NAC-DGERCGC25-00000014 y NAC-DGERCGC25-00000017 (fuente secundaria); ${ficha('tabla 6')}`,
  },
  {
    ...always,
    code: 'RUC Proveedor',
    name: 'Todo comprobante lleva el RUC de quien provee el sistema; lo agrega el servicio',
    since: '2026-09-26',
    source: 'Resolución NAC-DGERCGC26-00000027, art. 5; ficha técnica SRI 2.34, anexo 26 (fuente secundaria)',
  },
];
