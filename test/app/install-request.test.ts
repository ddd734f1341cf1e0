import { expect, test } from 'vitest';
import { installRequest } from '../../src/app/installing.ts';
import type { TaxRule } from '../../src/domain/money-policy.ts';
import type { Settings, Store } from '../../src/domain/settings.ts';

type Rule = Pick<TaxRule, 'when' | 'means'>;

const decidesUntaxed = (...rules: Rule[]) => {
  const store = { id: 'tienda', platform: { shopOf: () => 'https://tienda.ec' }, policy: { tax: { rules } } };
  const settings = { publicUrl: 'https://facturas.ec' } as Settings;
  return installRequest(settings, store as unknown as Store, { apply: false, tickets: {} as never })
    .decidesUntaxed;
};
const iva0 = { iva: 0 } as Rule['means'];

test.each<[string, Rule[], boolean]>([
  ['none', [], false],
  ['for every line without tax', [{ when: { untaxed: true }, means: iva0 }], true],
  ['for every line without tax in Ecuador', [{ when: { untaxed: true, abroad: false }, means: iva0 }], true],
  ['for sales abroad', [{ when: { untaxed: true, abroad: true }, means: iva0 }], false],
  ['for the shipping', [{ when: { untaxed: true, kind: ['shipping'] }, means: iva0 }], false],
  ['of the class exento', [{ when: { untaxed: true, taxClass: ['exento'] }, means: { iva: 7 } }], false],
  ['for taxed lines', [{ when: { untaxed: false }, means: iva0 }], false],
  ['that gives no IVA', [{ when: { untaxed: true }, means: {} }], false],
  [
    'of a class and one for the rest',
    [
      { when: { untaxed: true, taxClass: ['exento'] }, means: { iva: 7 } },
      { when: { untaxed: true }, means: iva0 },
    ],
    true,
  ],
])('a rule %s: whether lines without tax have their IVA', (_rule, rules, decided) => {
  expect(decidesUntaxed(...rules)).toBe(decided);
});
