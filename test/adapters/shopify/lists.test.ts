import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Shop } from '../../../src/domain/platform.ts';
import { strictly } from '../../support/admin-schema.ts';
import { plainOrder } from './plain-order.ts';
import { openPair } from './shop.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString();
const since = (second: number): Date => new Date(at(second));
const order = (id: number, second: number, more: object = {}) => ({
  ...plainOrder({ id, admin_graphql_api_id: null, updated_at: at(second) }),
  ...more,
});

async function listAll(shop: Shop, from: Date, between: (page: number) => void = () => {}) {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const page = await shop.changedOrders({ since: from, cursor });
    pages.push(page.rows.map(({ id }) => id));
    cursor = page.next;
    between(pages.length);
  } while (cursor !== null && pages.length < 60);
  return pages;
}

describe('the orders that changed', () => {
  test('are named with their refunds, whatever became of them, with the shop’s clock', async () => {
    const paid = order(3, 3);
    const orders = [order(1, 1), order(2, 2, { financial_status: 'refunded', cancelled_at: at(2) }), paid];
    const { shop, client } = await openPair({ orders, clock: { now: () => since(30) }, ...strictly() });
    const refund = shop.refund(3, { transactions: [{ kind: 'refund', status: 'success', amount: '1.00' }] });
    const page = await client.changedOrders({ since: since(2), cursor: null });
    expect(page).toEqual({
      rows: [
        { id: '2', updatedAt: at(2), refunds: [] },
        { id: '3', updatedAt: at(30), refunds: [String(refund.id)] },
      ],
      next: null,
      asOf: since(30),
    });
    expect(shop.requests.at(-1)?.variables.query).toBe(`updated_at:>='${at(2)}'`);
  });

  test('with more refunds than a list names say nothing of them', async () => {
    const refunds = Array.from({ length: 6 }, (_, n) => ({ id: 50 + n, created_at: at(1) }));
    const { client } = await openPair({ orders: [order(1, 1, { refunds })] });
    const [row] = (await client.changedOrders({ since: since(0), cursor: null })).rows;
    expect(row?.refunds).toBeNull();
  });

  test('are all found, however they change while the pages are read', async () => {
    const { shop, client } = await openPair();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 40, maxLength: 160 }),
        fc.array(fc.array(fc.nat(), { maxLength: 30 }), { maxLength: 4 }),
        async (seconds, changes) => {
          for (let id = 1; id <= 160; id += 1) shop.remove(id);
          seconds.forEach((second, n) => void shop.put(order(n + 1, second)));
          let clock = 10;
          const pages = await listAll(client, since(0), (page) => {
            clock += 1;
            for (const n of changes[page - 1] ?? []) shop.put(order((n % seconds.length) + 1, clock));
          });
          expect(new Set(pages.flat()).size).toBe(seconds.length);
        },
      ),
      { numRuns: 10 },
    );
  });

  test('are listed anew from the last one seen before Shopify ends a list of 25,000', async () => {
    const { shop, client } = await openPair({ orders: [order(1, 1), order(2, 2), order(3, 3)] });
    const first = await client.changedOrders({ since: since(0), cursor: null });
    expect(first.next).toBeNull();
    for (let id = 4; id <= 60; id += 1) shop.put(order(id, id));
    const cursor = JSON.stringify({ since: at(0), after: null, read: 19_980 });
    const page = await client.changedOrders({ since: since(0), cursor });
    expect(JSON.parse(page.next ?? '')).toEqual({ since: at(50), after: null, read: 0 });
    const rest = await client.changedOrders({ since: since(0), cursor: page.next });
    expect([rest.rows[0]?.id, rest.rows.at(-1)?.id, rest.next]).toEqual(['50', '60', null]);
  });
});

test('refunds need no list of their own, because each changes its order', async () => {
  const { shop, client } = await openPair();
  expect(await client.newRefunds({ since: since(0), cursor: null })).toEqual({ rows: [], next: null });
  expect(shop.requests).toEqual([]);
});

test('of known orders the list has those that are there', async () => {
  const { client } = await openPair({ orders: [order(1, 1), order(3, 3)], ...strictly() });
  expect((await client.listOrders(['1', '2', '3'])).map(({ id }) => id)).toEqual(['1', '3']);
  expect(await client.listOrders([])).toEqual([]);
});
