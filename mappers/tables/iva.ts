import type { IvaCode, IvaRates } from '../../src/domain/money-policy.ts';
import { type Dated, ficha, isInForce } from './dated.ts';
import { decreedDays } from './decreed-days.ts';

/** Days of a rate, and who alone may use it on them, where a decree says so. */
type IvaDays = Dated & { who?: string };

/** A row of SRI table 17 (códigos de porcentaje del IVA; ficha técnica, tabla 17). */
export interface IvaRow extends Dated {
  code: IvaCode;
  /** Percent. */
  rate: string;
  name: string;
  /** Whether a platform's stated rate alone may choose this row, where Ecuador taxes the sale; rules choose any. */
  byRate: boolean;
  /** For what alone the rate is, as a merchant reads it; null where it is for everything. */
  only: string | null;
  /** On which days it is in force, where `since` and `until` do not say it: decreed days, or none. */
  days?: readonly IvaDays[];
}

const table17 = ficha('tabla 17');
const checkedOn = '2026-11-20';

export const ivaTable: readonly IvaRow[] = [
  {
    code: 0,
    rate: '0',
    name: 'IVA 0 %',
    since: null,
    until: null,
    byRate: true,
    only: null,
    source: table17,
    checkedOn,
  },
  {
    code: 2,
    rate: '12',
    name: 'IVA 12 %',
    since: '2017-06-01',
    until: '2024-03-31',
    byRate: false,
    only: null,
    source: table17,
    checkedOn,
  },
  {
    code: 3,
    rate: '14',
    name: 'IVA 14 %',
    since: '2016-06-01',
    until: '2017-05-31',
    byRate: false,
    only: null,
    source: table17,
    checkedOn,
  },
  {
    code: 4,
    rate: '15',
    name: 'IVA 15 %',
    since: '2024-04-01',
    until: null,
    byRate: true,
    only: null,
    source: 'Decreto Ejecutivo 198 (2024) y Circular NAC-DGECCGC25-00000006 (2026), por fuente secundaria',
    checkedOn,
  },
  {
    code: 5,
    rate: '5',
    name: 'IVA 5 %',
    since: '2024-04-01',
    until: null,
    byRate: false,
    only: 'materiales de construcción',
    source: table17,
    checkedOn,
  },
  {
    code: 6,
    rate: '0',
    name: 'No objeto de IVA',
    since: null,
    until: null,
    byRate: false,
    only: null,
    source: table17,
    checkedOn,
  },
  {
    code: 7,
    rate: '0',
    name: 'Exento de IVA',
    since: null,
    until: null,
    byRate: false,
    only: null,
    source: table17,
    checkedOn,
  },
  {
    code: 8,
    rate: '8',
    name: 'IVA diferenciado 8 %',
    days: decreedDays,
    since: null,
    until: null,
    byRate: false,
    only: 'servicios turísticos registrados, en los días que fija un decreto',
    source: table17,
    checkedOn,
  },
  {
    code: 10,
    rate: '13',
    name: 'IVA 13 %',
    since: null,
    until: null,
    // The decree set 15 % from the first day of the law: a stated 13 % is almost surely a foreign tax.
    days: [],
    byRate: false,
    only: null,
    source: `${table17}; tarifa base de la ley de 2024, sustituida por el 15 % desde el mismo día`,
    checkedOn,
  },
];

export function ivaRow(code: IvaCode): IvaRow {
  const row = ivaTable.find((candidate) => candidate.code === code);
  if (!row) throw new RangeError(`No row of SRI table 17 has code ${code}.`);
  return row;
}

/** The days a row is in force, each with who says so; none of a rate that never was. */
export const ivaDays = (row: IvaRow): readonly IvaDays[] => row.days ?? [row];

export const isIvaInForce = (row: IvaRow, on: string): boolean =>
  ivaDays(row).some((days) => isInForce(days, on));

/** The rate for everything on a day. */
export function generalIva(on: string): IvaCode {
  const row = ivaTable.find((one) => one.only === null && one.rate !== '0' && isIvaInForce(one, on));
  return row?.code ?? 4;
}

/** Percent of each code, for whoever needs no more than that. */
export const ivaRates: IvaRates = Object.fromEntries(
  ivaTable.map(({ code, rate }) => [code, rate]),
) as IvaRates;
