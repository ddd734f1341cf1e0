import type { IvaCode, IvaRates } from '../../src/core/money-policy.ts';

/** A row of SRI table 17 (códigos de porcentaje del IVA; ficha técnica, tabla 17). */
export interface IvaRow {
  code: IvaCode;
  /** Percent. */
  rate: string;
  name: string;
  since: string | null;
  until: string | null;
  /** Whether a platform's stated rate alone may choose this row. */
  byRate: boolean;
  source: string;
}

export const ivaTable: readonly IvaRow[] = [
  {
    code: 0,
    rate: '0',
    name: 'IVA 0 %',
    since: null,
    until: null,
    byRate: true,
    source: 'Ficha técnica SRI, tabla 17',
  },
  {
    code: 2,
    rate: '12',
    name: 'IVA 12 %',
    since: '2017-06-01',
    until: '2024-03-31',
    byRate: true,
    source: 'Ficha técnica SRI, tabla 17',
  },
  {
    code: 3,
    rate: '14',
    name: 'IVA 14 %',
    since: '2016-06-01',
    until: '2017-05-31',
    byRate: true,
    source: 'Ficha técnica SRI, tabla 17',
  },
  {
    code: 4,
    rate: '15',
    name: 'IVA 15 %',
    since: '2024-04-01',
    until: null,
    byRate: true,
    source: 'Decreto Ejecutivo 198 (2024)',
  },
  {
    code: 5,
    rate: '5',
    name: 'IVA 5 %',
    since: '2024-04-01',
    until: null,
    byRate: true,
    source: 'Materiales de construcción, Ley Orgánica 2024',
  },
  {
    code: 6,
    rate: '0',
    name: 'No objeto de IVA',
    since: null,
    until: null,
    byRate: false,
    source: 'Ficha técnica SRI, tabla 17',
  },
  {
    code: 7,
    rate: '0',
    name: 'Exento de IVA',
    since: null,
    until: null,
    byRate: false,
    source: 'Ficha técnica SRI, tabla 17',
  },
  {
    code: 8,
    rate: '8',
    name: 'IVA diferenciado 8 %',
    since: null,
    until: null,
    byRate: true,
    source: 'Decretos de feriados para servicios turísticos registrados',
  },
  {
    code: 10,
    rate: '13',
    name: 'IVA 13 %',
    since: '2024-04-01',
    until: null,
    // The decree set 15 % from the same day: a stated 13 % is almost surely a foreign tax.
    byRate: false,
    source: 'Tarifa legal base de la ley de 2024',
  },
];

export function ivaRow(code: IvaCode): IvaRow {
  const row = ivaTable.find((candidate) => candidate.code === code);
  if (!row) throw new RangeError(`No row of SRI table 17 has code ${code}.`);
  return row;
}

/** Percent of each code, for whoever needs no more than that. */
export const ivaRates: IvaRates = Object.fromEntries(
  ivaTable.map(({ code, rate }) => [code, rate]),
) as IvaRates;
