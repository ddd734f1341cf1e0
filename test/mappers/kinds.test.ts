import { describe, expect, test } from 'vitest';
import { withKinds } from '../../mappers/entries.ts';
import type { Order } from '../../src/domain/order.ts';
import { plan } from '../../src/planner/plan.ts';
import { line, noon, order, store } from '../support/orders.ts';
import { charge, type Written } from './mapping.ts';
import { policyOf } from './policy.ts';

type Rule = NonNullable<NonNullable<Written['tax']>['rules']>[number];
const rules = (...some: [when: Rule['when'], means: Rule['then']][]): Written => ({
  // biome-ignore lint/suspicious/noThenProperty: the word of the config; it is no function.
  tax: { rules: some.map(([when, means]) => ({ when, then: means })) },
});

const shirt = line({ id: '1', price: '20.00' });
const card = line({ id: '2', price: '50.00', rate: null, name: 'Bono navideño', sku: 'GC-50' });
const service = charge('fee', { price: '2.00', rate: null, name: 'Servicio' });

function outcome(sale: Order, policy: Written): string {
  const seller = { ...store, policy: policyOf(policy) };
  const [action] = plan({ order: sale, store: seller, documents: [], invoiceFrom: new Date(0), now: noon });
  return action?.action === 'emit' ? `emit ${action.document}` : `${action?.action} ${action?.code}`;
}

describe.each(['woocommerce', 'shopify'])('a rule says what an item of %s is', (platform) => {
  const sale = (fields: Partial<Order>) => order({ platform, ...fields });

  test.each<[string, Rule['when']]>([
    ['SKU', { sku: 'GC-*' }],
    ['name', { name: 'bono*' }],
    ['tax class', { taxClass: '' }],
    ['that it is untaxed', { untaxed: true }],
    ['kind in the shop', { kind: 'product', sku: ['GC-50', 'GC-100'] }],
  ])('by its %s', (_what, when) => {
    const policy = rules([when, { kind: 'gift-card' }]);
    expect(outcome(sale({ lines: [card] }), policy)).toBe('nothing only-gift-cards');
  });

  test('and the policy of that kind decides', () => {
    const told = rules([{ sku: 'GC-*' }, { kind: 'gift-card' }]);
    const mixed = sale({ lines: [shirt, card] });
    expect(outcome(mixed, {})).toBe('hold unmapped-tax');
    expect(outcome(mixed, told)).toBe('hold gift-card-sold');
    expect(outcome(mixed, { ...told, giftCardsSold: { as: 'exclude' } })).toBe('emit 23.00');
    expect(outcome(mixed, { ...told, giftCardsSold: { as: 'line' } })).toBe('emit 73.00');
  });

  test('a fee may be a tip or a duty, a line too', () => {
    const tip = rules([{ name: 'servicio' }, { kind: 'tip' }]);
    const duty = rules([{ name: 'servicio' }, { kind: 'duty' }]);
    for (const fields of [
      { lines: [shirt], charges: [service] },
      { lines: [shirt, line({ id: '3', price: '2.00', rate: null, name: 'Servicio', sku: 'S-1' })] },
    ]) {
      expect(outcome(sale(fields), tip)).toBe('hold tip');
      expect(outcome(sale(fields), { ...tip, tips: { as: 'line' } })).toBe('emit 25.00');
      expect(outcome(sale(fields), duty)).toBe('hold duties');
      expect(outcome(sale(fields), { ...duty, duties: { as: 'line' } })).toBe('emit 25.00');
    }
  });

  test('what the shop takes for a tip or a card becomes an ordinary item', () => {
    const tip = charge('tip', { price: '2.00', name: 'Propina' });
    const fields = { lines: [shirt], charges: [tip] };
    expect(outcome(sale(fields), {})).toBe('hold tip');
    expect(outcome(sale(fields), rules([{ kind: 'tip' }, { kind: 'fee' }]))).toBe('emit 25.30');
    const paper = line({ id: '4', price: '5.00', kind: 'gift-card', name: 'Papel de regalo' });
    expect(outcome(sale({ lines: [shirt, paper] }), rules([{ name: 'papel*' }, { kind: 'product' }]))).toBe(
      'emit 28.75',
    );
  });

  test('rules about its tax see the kind it has by rule', () => {
    const policy = rules([{ sku: 'GC-*' }, { kind: 'gift-card' }], [{ kind: 'gift-card' }, { hold: 'No.' }]);
    const asLine = { ...policy, giftCardsSold: { as: 'line' } } as const;
    const taxed = line({ id: '2', price: '50.00', sku: 'GC-50' });
    expect(outcome(sale({ lines: [taxed] }), asLine)).toBe('hold held-by-rule');
  });
});

describe('the kinds of an order', () => {
  const { policy } = store;
  const told = policyOf(rules([{ sku: 'GC-*' }, { kind: 'gift-card' }], [{ kind: 'fee' }, { kind: 'tip' }]));

  test('are those of the shop where no rule gives one: the order is the same', () => {
    const sale = order({ lines: [shirt, card], charges: [service] });
    expect(withKinds(sale, policy)).toBe(sale);
  });

  test('are the same however often the rules are applied, and those of the shop again without them', () => {
    const sale = order({ lines: [shirt, card], charges: [service] });
    const once = withKinds(sale, told);
    expect(once.lines.map(({ kind }) => kind)).toEqual(['product', 'gift-card']);
    expect(once.charges).toMatchObject([{ kind: 'tip', row: 'fee' }]);
    expect(withKinds(once, told)).toEqual(once);
    const undone = withKinds(once, policy);
    expect([undone.lines[1]?.kind, undone.charges[0]?.kind]).toEqual(['product', 'fee']);
  });

  test('an item keeps its kind where a rule gives one it cannot have', () => {
    const odd = policyOf(rules([{ untaxed: true }, { kind: 'shipping' }]));
    expect(withKinds(order({ lines: [card] }), odd).lines[0]?.kind).toBe('product');
    const cards = policyOf(rules([{ untaxed: true }, { kind: 'gift-card' }]));
    expect(withKinds(order({ lines: [], charges: [service] }), cards).charges[0]?.kind).toBe('fee');
  });

  test('a rule about a tax gives a kind to what bears it', () => {
    const byRate = policyOf(rules([{ rate: 15 }, { kind: 'gift-card' }]));
    const kinds = withKinds(order({ lines: [shirt, card] }), byRate).lines.map(({ kind }) => kind);
    expect(kinds).toEqual(['gift-card', 'product']);
  });
});
