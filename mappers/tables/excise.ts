import { type Dated, ficha } from './dated.ts';

/** USD a bottle (IRBPNR, SRI table 18, code 5001). */
export const irbpnrRate = '0.02';

/** A code of SRI table 18. `per`: its tariff is a percentage of the price, an amount for each unit, or both. */
export interface ExciseRow extends Dated {
  code: string;
  name: string;
  per: 'percent' | 'unit' | 'both';
}

const ice = (code: string, name: string, per: ExciseRow['per'] = 'percent'): ExciseRow => ({
  code,
  name,
  per,
  since: null,
  until: null,
  source: 'Ficha técnica SRI 2.32, tabla 18 (fuente secundaria)',
  checkedOn: '2026-11-20',
});

/**
 * The codes shops meet, without their tariffs: those change by decree and by resolution every year, and the merchant's
 * rule states them (policy.tax.rules). Of a code that is not here the rule says the name as well.
 */
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
    code: '5001',
    name: `IRBPNR, botellas plásticas no retornables: ${irbpnrRate} por botella`,
    per: 'unit',
    since: null,
    until: null,
    source: ficha('tabla 18'),
    checkedOn: '2026-11-20',
  },
];

/** The row of an ICE code, as a rule writes it. */
export const iceRow = (codigo: number): ExciseRow | undefined =>
  exciseTable.find(({ code }) => code === String(codigo));
