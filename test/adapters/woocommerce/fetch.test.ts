import { describe, expect, test } from 'vitest';
import { everyPage } from '../../../adapters/woocommerce/client.ts';
import type { WooCommerceShop } from '../../../sandbox/shops/woocommerce-shop.ts';
import type { Shop } from '../../../src/domain/platform.ts';
import { openBoth, paidOrder, shopError } from './shop.ts';

const line = { id: 1, quantity: 1, refund_total: 10, refund_tax: [{ id: 1, refund_total: 1.5 }] };
const paths = (stand: WooCommerceShop) => stand.requests.map(({ path }) => path);
const back = async (shop: Shop) => {
  const order = await shop.fetchOrder('29');
  return [order?.settlement, order?.refunds.map(({ id, amount }) => [id, amount])];
};

/** The order as the shop answers it now, sent once more for the next call, which comes too late. */
function lateOrder(stand: WooCommerceShop): void {
  stand.trouble({ status: 200, body: stand.order(29) }, 'GET');
}

describe('an order', () => {
  test('without refunds costs one call', async () => {
    const { stand, shop } = await openBoth();
    expect(await back(shop)).toEqual(['paid', []]);
    expect(paths(stand)).toEqual(['orders/29']);
  });

  test('of more than 4 MB is not read: so much JSON of one shop would take the memory of all', async () => {
    const { stand, shop } = await openBoth();
    const note = ' '.repeat(4 * 1024 * 1024);
    stand.trouble({ status: 200, body: `${JSON.stringify(stand.order(29))}${note}` }, 'GET');
    const error = await shopError(shop.fetchOrder('29'));
    expect(error.retryable).toBe(true);
    expect((await shop.fetchOrder('29'))?.id).toBe('29');
  });

  test('of a shop that shows no cents is read with them, and its refunds too', async () => {
    const { stand, shop } = await openBoth();
    stand.refund(29, { amount: '5.00' });
    stand.trouble({ status: 200, body: { ...(stand.order(29) as object), total: '12' } }, 'GET');
    expect((await shop.fetchOrder('29'))?.total).toBe('11.50');
    expect(paths(stand)).toEqual(['orders/29', 'orders/29', 'orders/29/refunds']);
    expect(stand.requests.map(({ query }) => query.get('dp'))).toEqual([null, '2', '2']);
  });

  test('with refunds carries them in full', async () => {
    const { stand, shop } = await openBoth();
    const { id } = stand.refund(29, { amount: '11.50', reason: ' Rota ', line_items: [line] });
    const order = await shop.fetchOrder('29');
    expect(order?.settlement).toBe('refunded');
    expect(order?.refunds).toEqual([
      {
        id: String(id),
        at: '2026-11-20T15:00:00Z',
        reason: 'Rota',
        amount: '11.50',
        pending: '0.00',
        parts: [{ of: 'line:1', name: 'Camiseta algodón', quantity: '1', net: '10.00', tax: '1.50' }],
        discrepancy: '0.00',
      },
    ]);
    expect(paths(stand)).toEqual(['orders/29', 'orders/29/refunds']);
  });

  test('that names a deleted refund beside one that stands carries the one that stands', async () => {
    const { stand, shop } = await openBoth();
    const { id } = stand.refund(29, { amount: '5.00' });
    const deleted = { id: 0, reason: '', total: '-0.00' };
    const body = paidOrder({ refunds: [deleted, { id, reason: '', total: '-5.00' }] });
    stand.trouble({ status: 200, body });
    expect(await back(shop)).toEqual(['partially-refunded', [[String(id), '5.00']]]);
    expect(paths(stand)).toEqual(['orders/29', 'orders/29/refunds']);
  });

  test('whose refund is deleted is paid again', async () => {
    const { stand, shop } = await openBoth();
    const { id } = stand.refund(29, { amount: '5.00' });
    expect(await back(shop)).toEqual(['partially-refunded', [[String(id), '5.00']]]);
    stand.deleteRefund(29, id);
    expect(await back(shop)).toEqual(['paid', []]);
  });

  test('leaves out a refund deleted after the order was read', async () => {
    const { stand, shop } = await openBoth();
    const [gone, kept] = [stand.refund(29, { amount: '5.00' }), stand.refund(29, { amount: '2.00' })];
    lateOrder(stand);
    stand.deleteRefund(29, gone.id);
    expect(await back(shop)).toEqual(['partially-refunded', [[String(kept.id), '2.00']]]);
  });

  test('has no refund where every one was deleted after it was read', async () => {
    const { stand, shop } = await openBoth();
    const { id } = stand.refund(29, { amount: '5.00' });
    lateOrder(stand);
    stand.deleteRefund(29, id);
    expect(await back(shop)).toEqual(['paid', []]);
  });

  test('deleted after it was read is no order, though the list of its refunds is answered', async () => {
    const { stand, shop } = await openBoth();
    stand.refund(29, { amount: '5.00' });
    lateOrder(stand);
    stand.remove(29);
    expect(await shop.fetchOrder('29')).toBeNull();
  });

  test('takes a refund made after it was read, and stands where that leaves it', async () => {
    const { stand, shop } = await openBoth();
    const first = stand.refund(29, { amount: '5.00' });
    lateOrder(stand);
    const second = stand.refund(29, { amount: '6.50' });
    expect(await back(shop)).toEqual([
      'refunded',
      [
        [String(second.id), '6.50'],
        [String(first.id), '5.00'],
      ],
    ]);
  });

  test('with more refunds than a page holds carries them all, each once', async () => {
    const orders = [paidOrder({ total: '300.00' })];
    const { stand, shop } = await openBoth({}, { orders });
    for (let cents = 1; cents <= 201; cents += 1) stand.refund(29, { amount: (cents / 100).toFixed(2) });
    const order = await shop.fetchOrder('29');
    expect(new Set(order?.refunds.map(({ id }) => id)).size).toBe(201);
    expect(order?.refunds).toHaveLength(201);
    expect(paths(stand).filter((path) => path === 'orders/29/refunds')).toHaveLength(3);
  });

  test('whose refunds cannot be read is an error that names the place and no value', async () => {
    const { stand, shop } = await openBoth();
    stand.refund(29, { amount: '5.00' });
    lateOrder(stand);
    stand.trouble({ status: 200, body: [{ ...stand.refunds(29)[0], amount: 'Carlos' }] });
    const error = await shopError(shop.fetchOrder('29'));
    expect(error).toMatchObject({ code: 'shop-answer', retryable: false });
    expect(error.params).toMatchObject({
      call: 'GET orders/29/refunds',
      problem: expect.stringContaining('«0.amount»'),
    });
    expect(error.message).not.toContain('Carlos');
  });

  test('is not read without its refunds: trouble with the list is trouble with the order', async () => {
    const { stand, shop } = await openBoth();
    stand.refund(29, { amount: '5.00' });
    lateOrder(stand);
    stand.trouble({ status: 503, body: 'mantenimiento' });
    expect(await shopError(shop.fetchOrder('29'))).toMatchObject({ code: 'shop-not-json', retryable: true });
  });
});

describe('a list in pages', () => {
  const full = Array.from({ length: 100 }, (_, row) => ({ id: String(row) }));
  const endless = () => new Error('endless');

  test('ends where the shop says, or at a page that is not full where it does not', async () => {
    const pages = (stated: number | null, lengths: number[]) => {
      const rows = (page: number) =>
        full.slice(0, lengths[page - 1]).map(({ id }) => ({ id: `${page}-${id}` }));
      return everyPage(async (page) => ({ rows: rows(page), pages: stated }), endless);
    };
    expect(await pages(1, [100])).toHaveLength(100);
    expect(await pages(0, [0])).toHaveLength(0);
    expect(await pages(null, [100, 100, 7])).toHaveLength(207);
    expect(await pages(null, [100, 0])).toHaveLength(100);
  });

  test('that slips to the next page while it is read holds no row twice', async () => {
    const rows = [full, [...full.slice(99), { id: 'last' }]];
    const read = await everyPage(async (page) => ({ rows: rows[page - 1] ?? [], pages: 2 }), endless);
    expect(read).toHaveLength(101);
  });

  test('that never ends is an error, and one that vanishes is none', async () => {
    await expect(everyPage(async () => ({ rows: full, pages: null }), endless)).rejects.toThrow('endless');
    expect(
      await everyPage(async (page) => (page === 1 ? { rows: full, pages: 2 } : null), endless),
    ).toBeNull();
  });
});
