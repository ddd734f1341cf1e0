import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Refund } from '../../../../src/domain/order.ts';
import { plan } from '../../../../src/planner/plan.ts';
import { generatedOrders } from '../../../mappers/generated-orders.ts';
import { decreedNoon } from '../../../support/orders.ts';
import { drawn, invoiced, issued, refundActions, store } from './cases.ts';
import { checkCredit, leftOf } from './credit-checks.ts';

/* Refunds no shop would make, of every figure an adapter's schema lets through. */

const amount = fc.oneof(
  fc.constantFrom('0', '0.00', '-0', '0.01', '-0.01', '0.005', '1', '-3', '99999999999999999999.99'),
  fc.integer({ min: -99_999, max: 99_999 }).map((cents) => (cents / 100).toFixed(2)),
  fc.integer({ min: 0, max: 9_999_999 }).map((units) => (units / 10_000).toFixed(4)),
);
const positive = amount.map((one) => one.replace('-', ''));
const source = fc.constantFrom(
  'line:0',
  'line:1',
  'line:2',
  'shipping:c0',
  'fee:c1',
  'fee:fee',
  'line:404',
  '',
);
const refund: fc.Arbitrary<Refund> = fc.record({
  id: fc.constantFrom('1', '2', '3', '10', '', 'a/b', '9'.repeat(30)),
  at: fc.option(fc.constantFrom('2026-11-19T10:00:00Z', '2026-11-20T10:00:00Z', '2030-01-01T00:00:00Z')),
  reason: fc.option(fc.string({ unit: 'binary', maxLength: 400 })),
  amount: fc.option(positive, { freq: 12 }),
  pending: fc.oneof({ weight: 9, arbitrary: fc.constant('0.00') }, positive),
  parts: fc.option(
    fc.array(
      fc.record({
        of: fc.option(source, { freq: 9 }),
        name: fc.string({ unit: 'binary', maxLength: 20 }),
        quantity: fc.constantFrom('0', '1', '2', '0.5', '0.1234567', '1000000000'),
        net: amount,
        tax: amount,
      }),
      { maxLength: 4 },
    ),
    { freq: 5 },
  ),
  discrepancy: fc.oneof(fc.constant('0.00'), amount),
});
/** Half of them at least agree with themselves, so that their money is laid upon the factura. */
const refunds = fc
  .tuple(fc.uniqueArray(refund, { maxLength: 5, selector: ({ id }) => id }), fc.boolean())
  .map(([some, agree]) => (agree ? some.map(agreed) : some));

function agreed(one: Refund): Refund {
  const stated = (one.parts ?? []).reduce((all, { net, tax }) => all + Number(net) + Number(tax), 0);
  return { ...one, discrepancy: (Number(one.amount ?? 0) - stated).toFixed(2) };
}

it('whatever a refund says, the planner answers: a credit to the cent within the factura, or a sentence', {
  timeout: 7_200_000,
}, () => {
  let emitted = 0;
  const numRuns = Math.ceil(drawn.sequences / 4);
  fc.assert(
    fc.property(generatedOrders(true), refunds, (order, some) => {
      const refunded = { ...order, refunds: some };
      plan({ order: refunded, documents: [], store, invoiceFrom: new Date(0), now: decreedNoon });
      const documents = invoiced(order);
      if (!documents?.[0]?.sent) return;
      const actions = refundActions(refunded, documents);
      for (const { reason } of actions) expect(reason).toMatch(/\.$/);
      const sent = actions.filter(({ action }) => action === 'emit');
      sent.forEach(checkCredit);
      leftOf(documents[0].sent, sent.map(issued));
      emitted += sent.length;
    }),
    { numRuns },
  );
  expect(emitted).toBeGreaterThan(numRuns / 20);
});
