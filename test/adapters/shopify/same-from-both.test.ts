import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readOrder } from '../../../adapters/shopify/order.ts';
import type { Order } from '../../../src/domain/order.ts';
import { strictly } from '../../support/admin-schema.ts';
import { anyOrder } from './generated-orders.ts';
import { openPair } from './shop.ts';
import { soldOrder } from './sold-order.ts';

/** How it was paid the API knows better, and a body knows only the sum of the fees. */
function comparable({ payments: _payments, charges, ...order }: Order) {
  const named = charges.map(({ id, ...charge }) => ({ ...charge, id: charge.kind === 'fee' ? 'fee' : id }));
  return { ...order, charges: named };
}

test('any order reads the same from GraphQL as from its body', async () => {
  const { client, shop, connection } = await openPair(strictly());
  await fc.assert(
    fc.asyncProperty(anyOrder, async (rest) => {
      shop.put(rest);
      const fromApi = await client.fetchOrder('1001');
      expect(fromApi && comparable(fromApi)).toEqual(comparable(readOrder(rest, connection)));
    }),
    { numRuns: 80 },
  );
});

const refund = fc.oneof(
  fc.record({ refund_line_items: fc.constant([{ line_item_id: 1, quantity: 1 }]) }),
  fc.record({ refund_line_items: fc.constant([{ line_item_id: 2 }]), transactions: fc.constant([]) }),
  fc.record({ refund_shipping_lines: fc.constant([{}]) }),
  fc.record({
    refund_line_items: fc.constantFrom([], [{ line_item_id: 1, quantity: 1 }]),
    transactions: fc
      .tuple(fc.integer({ min: 1, max: 900 }), fc.constantFrom('success', 'pending', 'failure'))
      .map(([amount, status]) => [{ amount: (amount / 100).toFixed(2), status }]),
    note: fc.constantFrom(null, '', 'Talla'),
  }),
);

test('any refunds read the same from GraphQL as from the order’s body', async () => {
  const { client, shop, connection } = await openPair(strictly());
  await fc.assert(
    fc.asyncProperty(fc.array(refund, { maxLength: 3 }), fc.boolean(), async (refunds, included) => {
      shop.put(soldOrder(included));
      // A refund of what is no longer there is none.
      for (const one of refunds) attempt(() => shop.refund(1001, one));
      const fromApi = await client.fetchOrder('1001');
      const fromBody = readOrder(shop.order(1001), connection);
      expect(fromApi?.refunds).toEqual(fromBody.refunds);
      expect(fromApi && comparable(fromApi)).toEqual(comparable(fromBody));
    }),
    { numRuns: 80 },
  );
});

function attempt(make: () => unknown): void {
  try {
    make();
  } catch {
    // The stand-in says so by throwing.
  }
}
