import type { IvaCode, IvaRates } from '../../src/domain/money-policy.ts';
import { decreedDays } from './holidays.ts';
import { always, type Dated, ficha, isInForce } from './limits.ts';

type IvaDays = Dated & { who?: string };

/** A row of SRI table 17 (códigos de porcentaje del IVA; ficha técnica, tabla 17). */
export interface IvaRow extends Dated {
  code: IvaCode;
  rate: string;
  name: string;
  /** Whether a stated rate alone chooses this row in sales that Ecuador taxes; rules may choose any row. */
  byRate: boolean;
  /** In Spanish: the only goods or services with this rate; null when it is general. */
  only: string | null;
  /** The days in force, where `since` and `until` do not state them: decreed days, or none. */
  days?: readonly IvaDays[];
}

const iva = (code: IvaCode, rate: string, name: string, more: Partial<IvaRow> = {}): IvaRow => ({
  ...always,
  code,
  rate,
  name,
  byRate: false,
  only: null,
  source: ficha('tabla 17'),
  ...more,
});

export const ivaTable: readonly IvaRow[] = [
  iva(0, '0', 'IVA 0 %', { byRate: true }),
  iva(2, '12', 'IVA 12 %', { since: '2017-06-01', until: '2024-03-31' }),
  iva(3, '14', 'IVA 14 %', { since: '2016-06-01', until: '2017-05-31' }),
  iva(4, '15', 'IVA 15 %', {
    since: '2024-04-01',
    byRate: true,
    source: 'Decreto Ejecutivo 198 (2024) y Circular NAC-DGECCGC25-00000006 (2026), por fuente secundaria',
  }),
  iva(5, '5', 'IVA 5 %', { since: '2024-04-01', only: 'materiales de construcción' }),
  iva(6, '0', 'No objeto de IVA'),
  iva(7, '0', 'Exento de IVA'),
  iva(8, '8', 'IVA diferenciado 8 %', {
    days: decreedDays,
    only: 'servicios turísticos registrados, en los días que fija un decreto',
  }),
  iva(10, '13', 'IVA 13 %', {
    // The decree set 15 % from the first day of the law: a stated 13 % is almost certainly another country's tax.
    days: [],
    source: `${ficha('tabla 17')}; tarifa base de la ley de 2024, sustituida por el 15 % desde el mismo día`,
  }),
];

export function ivaRow(code: IvaCode): IvaRow {
  const row = ivaTable.find((candidate) => candidate.code === code);
  if (!row) throw new RangeError(`No row of SRI table 17 has code ${code}.`);
  return row;
}

export const ivaDays = (row: IvaRow): readonly IvaDays[] => row.days ?? [row];

export const isIvaInForce = (row: IvaRow, on: string): boolean =>
  ivaDays(row).some((days) => isInForce(days, on));

export function generalIva(on: string): IvaCode {
  const row = ivaTable.find((one) => one.only === null && one.rate !== '0' && isIvaInForce(one, on));
  return row?.code ?? 4;
}

/** Percent by code of SRI table 17. */
export const ivaRates: IvaRates = Object.fromEntries(
  ivaTable.map(({ code, rate }) => [code, rate]),
) as IvaRates;

/** USD per bottle (IRBPNR, SRI table 18, code 5001). */
export const irbpnrRate = '0.02';

/** SRI table 18. `per`: the tariff is a percentage of the price, an amount per unit, or both. */
export interface ExciseRow extends Dated {
  code: string;
  name: string;
  per: 'percent' | 'unit' | 'both';
}

const ice = (code: string, name: string, per: ExciseRow['per'] = 'percent'): ExciseRow => ({
  ...always,
  code,
  name,
  per,
  source: 'Ficha técnica SRI 2.32, tabla 18 (fuente secundaria)',
});

/** Without tariffs, which change every year by decree or resolution: the merchant's rule states them. */
export const exciseTable: readonly ExciseRow[] = [
  ice('3011', 'Cigarrillos rubios', 'unit'),
  ice('3021', 'Cigarrillos negros', 'unit'),
  ice('3023', 'Productos del tabaco y sucedáneos'),
  ice('3031', 'Bebidas alcohólicas', 'both'),
  ice('3041', 'Cerveza industrial', 'both'),
  ice('3043', 'Cerveza artesanal', 'unit'),
  ice('3053', 'Bebidas gaseosas con alto contenido de azúcar', 'unit'),
  ice('3054', 'Bebidas gaseosas con bajo contenido de azúcar'),
  ice('3101', 'Bebidas energizantes'),
  ice('3111', 'Bebidas no alcohólicas', 'unit'),
  ice('3610', 'Perfumes y aguas de tocador'),
  ice('3620', 'Videojuegos'),
  ice('3630', 'Armas de fuego, armas deportivas y municiones'),
  { ...ice('3680', 'Fundas plásticas', 'unit'), since: '2020-05-09' },
  {
    ...ice('5001', `IRBPNR, botellas plásticas no retornables: ${irbpnrRate} por botella`, 'unit'),
    source: ficha('tabla 18'),
  },
];

export const iceRow = (codigo: number): ExciseRow | undefined =>
  exciseTable.find(({ code }) => code === String(codigo));
