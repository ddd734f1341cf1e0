import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decimal, toAmount } from '../../../src/domain/money.ts';
import { bareRefund } from '../../../src/domain/order.ts';
import type { PlannedDocument, SentContent } from '../../../src/planner/action.ts';
import { expectedCredit, expectedFactura } from '../../../src/reports/close/figures.ts';
import { line, order } from '../../support/orders.ts';

/** What the shop says a document must come to, worked out without the mapper. */
const sent = (more: Partial<SentContent> = {}): SentContent =>
  ({
    total: '11.50',
    nettedRefunds: [],
    lineReferences: [{ source: 'line:1', units: '1' }],
    ...more,
  }) as SentContent;
const cents = fc.integer({ min: 1, max: 1_000_000 }).map((value) => decimal(value).div(100).toFixed(2));

it('a factura comes to what was charged less the refunds taken off it, whatever else was given back', () => {
  fc.assert(
    fc.property(
      cents,
      fc.array(cents, { maxLength: 4 }),
      fc.integer({ min: 0, max: 4 }),
      (total, backs, first) => {
        const refunds = backs.map((amount, at) => bareRefund(String(at), amount));
        const nettedRefunds = refunds.slice(0, first).map(({ id }) => id);
        const netted = backs.slice(0, first).reduce((sum, one) => sum.plus(one), decimal(0));
        const sold = order({ total, refunds });
        expect(expectedFactura(sold, sent({ nettedRefunds }))).toBe(toAmount(decimal(total).minus(netted)));
      },
    ),
  );
});

it('gift cards that stand outside of the factura by policy are not expected on it', () => {
  const card = line({ id: '2', kind: 'gift-card', price: '20.00', rate: null });
  const sold = order({ lines: [line({ price: '10.00' }), card] });
  expect(expectedFactura(sold, sent())).toBe('11.50');
  const forgotten = order({ lines: [line({ price: '10.00' }), { ...card, kind: 'product' }] });
  expect(expectedFactura(forgotten, sent({ leftOut: [{ source: 'line:2', discount: '0.00' }] }))).toBe(
    '11.50',
  );
  const both = [
    { source: 'line:1', units: '1' },
    { source: 'line:2', units: '1' },
  ];
  expect(expectedFactura(sold, sent({ lineReferences: both }))).toBe('31.50');
});

it('nothing can be expected where the shop no longer has a refund, or does not tell its money', () => {
  expect(expectedFactura(order(), sent({ nettedRefunds: ['7'] }))).toBeNull();
  const untold = order({ refunds: [bareRefund('7', null)] });
  expect(expectedFactura(untold, sent({ nettedRefunds: ['7'] }))).toBeNull();
  expect(expectedCredit(untold, '7', undefined)).toBeNull();
  expect(expectedCredit(order(), '7', undefined)).toBeNull();
});

it('a nota de crédito comes to what went back', () => {
  const factura = { kind: 'factura', state: 'authorized', sent: sent() } as unknown as PlannedDocument;
  const sold = order({ refunds: [bareRefund('7', '3.45')] });
  expect(expectedCredit(sold, '7', factura)).toBe('3.45');
});
