import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readOrder } from '../../../adapters/shopify/order.ts';
import type { Order } from '../../../src/domain/order.ts';
import { strictly } from '../../support/admin-schema.ts';
import { anyOrder } from './generated-orders.ts';
import { openPair } from './shop.ts';

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
