import { type Dated, ficha } from './dated.ts';

/** An amount of the law, in USD with tax. */
export interface LimitRow extends Dated {
  limit: string;
}

const checkedOn = '2026-11-20';

/** Up to which total a factura may name nobody ("no supera": the amount itself is allowed). */
export const finalConsumerLimits: readonly LimitRow[] = [
  {
    limit: '200.00',
    since: null,
    until: '2022-10-30',
    source:
      'Reglamento de Comprobantes de Venta, art. 19 num. 1, antes del Decreto Ejecutivo 586 (fuente secundaria)',
    checkedOn,
  },
  {
    limit: '50.00',
    since: '2022-10-31',
    until: null,
    source: `Reglamento de Comprobantes de Venta, art. 19 num. 1, por el Decreto Ejecutivo 586 (fuente secundaria); ${ficha('§9.10')}`,
    checkedOn,
  },
];

/**
 * From which total on a buyer may deduct a purchase only where it was paid through the financial system (bancarización);
 * whether the amount itself counts the sources leave open, and it is warned of. From secondary sources: neither the law nor its reform was read here (docs/assumptions.md, L1).
 */
export const bankingLimits: readonly LimitRow[] = [
  {
    limit: '1000.00',
    since: '2016-04-29',
    until: '2023-12-19',
    source: 'LRTI, art. 103, por la Ley de Equilibrio de las Finanzas Públicas (fuente secundaria)',
    checkedOn,
  },
  {
    limit: '500.00',
    since: '2023-12-20',
    until: null,
    source: 'LRTI, art. 103, por la Ley de Eficiencia Económica y Generación de Empleo (fuente secundaria)',
    checkedOn,
  },
];

/** Up to which part of what is sold, without taxes, a tip may stand as one. */
export const tipLimit: Dated & { percent: number } = {
  percent: 10,
  since: null,
  until: null,
  source: ficha('tabla 21'),
  checkedOn,
};
