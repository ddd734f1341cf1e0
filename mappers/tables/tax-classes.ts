import type { TaxRule } from '../../src/domain/money-policy.ts';

/**
 * What the tax classes of an Ecuadorian shop are usually called (SRI table 17: 0 = 0 %, 6 = no objeto de
 * impuesto, 7 = exento); classes as the platforms slug them. They stand after every rule of the merchant.
 */
export const classRules: readonly TaxRule[] = [
  {
    name: 'clase de tarifa 0 %',
    when: { taxClass: ['iva-0', 'zero-rate', 'tasa-cero', 'tarifa-0', 'tarifa-cero'] },
    means: { iva: 0 },
  },
  { name: 'clase exenta', when: { taxClass: ['exento', 'exento-de-iva'] }, means: { iva: 7 } },
  { name: 'clase no objeto', when: { taxClass: ['no-objeto', 'no-objeto-de-iva'] }, means: { iva: 6 } },
];
