import { describe, expect, it } from 'vitest';
import type { Order, Refund } from '../../../src/domain/order.ts';
import { authorized } from '../../support/authorized.ts';
import { line, order } from '../../support/orders.ts';
import { actions, type Policy, part, refund, shirt, storeWith } from './shapes.ts';

const exclude = { giftCardsSold: { as: 'exclude' } } as const;
const card = line({ id: '3', kind: 'gift-card', price: '50.00', rate: null, name: 'Experiencia spa' });
/** 11.50 of goods, and a card of 50.00. */
const sold = order({ lines: [line(), card] });
/** The product was deleted, or the rule that told it a card: the shop has a product without tax. */
const forgotten = (read: Order = sold): Order => ({
  ...read,
  lines: read.lines.map((one) => ({ ...one, kind: 'product' })),
});
const cardBack = part('line:3', '50.00', '0.00');

/** What is said of an order beside its factura: "manual over-credit", "emit refunded 11.50". */
function said(now: Order, invoiced: Order = sold, policy: Policy = exclude): string[] {
  const store = storeWith(policy);
  const [, ...others] = actions(now, [authorized(invoiced, {}, store)], { store });
  return others.map(({ action, code, document }) => [action, code, document].filter(Boolean).join(' '));
}

const both = (refunds: Refund[] = []): [string[], string[]] => [
  said({ ...sold, refunds }),
  said(forgotten({ ...sold, refunds })),
];

describe('a gift card that a factura left out, once the shop no longer calls it one', () => {
  it.each<[string, Refund[], string[]]>([
    ['is nothing that was added', [], []],
    ['may be what an amount was for', [refund('10.00', [])], ['hold refund-without-lines']],
    ['went back with everything', [refund('61.50', [])], ['emit refunded 11.50']],
    ['credits nothing', [refund('50.00', [cardBack])], ['nothing outside-factura']],
    ['leaves the goods', [refund('61.50', [cardBack, shirt])], ['emit refunded 11.50']],
  ])('%s', (_what, refunds, expected) => {
    expect(both(refunds)).toEqual([expected, expected]);
  });

  it('is still outside once an edit took it out of the order', () => {
    const refunds = [refund('50.00', [cardBack])];
    expect(said({ ...order({ lines: [line()] }), refunds })).toEqual(['nothing outside-factura']);
  });
});

describe('nothing is missing of an order whose card went back before its factura', () => {
  const back = { ...sold, refunds: [refund('50.00', [cardBack])] };

  it.each<[string, Policy]>([
    ['left out', exclude],
    ['held', {}],
  ])('%s by policy', (_how, policy) => {
    for (const now of [back, forgotten(back)]) expect(said(now, back, policy)).toEqual(['nothing netted']);
  });

  it('or only its tax', () => {
    const taxed = order({ lines: [line(), line({ id: '3', kind: 'gift-card', price: '50.00' })] });
    const untaxed = { ...taxed, refunds: [refund('7.50', [part('line:3', '0.00', '7.50', '0')])] };
    for (const now of [untaxed, forgotten(untaxed)]) expect(said(now, untaxed)).toEqual(['nothing netted']);
  });
});

it('a card that an edit added after the factura is a deposit, too', () => {
  expect(said(sold, order({ lines: [line()] }))).toEqual([]);
});
