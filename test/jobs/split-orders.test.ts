import { afterEach, describe, expect, test } from 'vitest';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/* A marketplace's order of two vendors: 1701 and the two it was split into, all of them paid. */

let bench: JobBench;
afterEach(() => bench?.close());

const vendors = { 1702: 'CAM-M', 1703: 'LIB-1' } as const;
type Id = 1701 | keyof typeof vendors;

/** Lines of 60.00 and 40.00 and their IVA. */
function woo(id: Id, meta: { key: string; value: unknown }[] = []) {
  const nets = { 'CAM-M': ['60.00', '9.00'], 'LIB-1': ['40.00', '6.00'] } as const;
  const lines = Object.entries(nets).filter(([sku]) => id === 1701 || vendors[id] === sku);
  const sums = { 1701: ['115.00', '15.00'], 1702: ['69.00', '9.00'], 1703: ['46.00', '6.00'] } as const;
  const [total, total_tax] = sums[id];
  const at = '2026-11-20T14:00:00';
  return {
    ...{
      id,
      number: String(id),
      parent_id: id === 1701 ? 0 : 1701,
      order_key: `wc_order_${id}`,
      status: 'processing',
    },
    ...{
      currency: 'USD',
      prices_include_tax: false,
      payment_method: 'payphone',
      payment_method_title: 'Tarjeta',
    },
    ...{
      date_created_gmt: at,
      date_modified_gmt: at,
      date_paid_gmt: at,
      total,
      total_tax,
      customer_note: '',
    },
    billing: {
      first_name: 'Ana',
      last_name: 'Pérez',
      address_1: 'Av. 1',
      city: 'Quito',
      country: 'EC',
      email: 'a@b.ec',
    },
    shipping: {},
    meta_data: [{ key: '_billing_cedula', value: '1713175071' }, ...meta],
    line_items: lines.map(([sku, [net, tax]], at) => ({
      ...{
        id: id * 10 + at,
        name: `Producto ${sku}`,
        sku,
        product_id: sku === 'CAM-M' ? 11 : 12,
        quantity: 1,
      },
      ...{
        tax_class: '',
        subtotal: net,
        total: net,
        total_tax: tax,
        taxes: [{ id: 1, total: tax }],
        meta_data: [],
      },
    })),
    tax_lines: [{ id: 9, rate_id: 1, label: 'IVA', rate_percent: 15 }],
    ...{ shipping_lines: [], fee_lines: [], coupon_lines: [], refunds: [] },
  };
}

const marked = [{ key: 'has_sub_order', value: '1' }];

async function open(subOrders: string | null, meta: typeof marked): Promise<void> {
  bench = await openJobBench({
    orders: [woo(1701, meta), woo(1702), woo(1703)],
    ...(subOrders && { policy: { subOrders } }),
  });
}

async function sync(...ids: Id[]): Promise<void> {
  for (const id of ids) {
    await bench.sync(String(id));
    await bench.run();
    await bench.decided();
    bench.advance(60_000);
    await bench.run();
  }
  await bench.pass(1, 2);
}

/** "1701 authorized 115.00", "1702 held sub-orders" */
async function made(): Promise<string[]> {
  const all = await bench.ledger.documents.list({ limit: 20 });
  return all
    .filter(({ state }) => state !== 'cancelled')
    .map(({ orderId, state, code, total }) => `${orderId} ${state} ${state === 'held' ? code : total}`)
    .sort();
}

const orders: Id[][] = [
  [1701, 1702, 1703],
  [1702, 1701, 1703],
  [1703, 1702, 1701],
];

describe.each([
  ['a plugin that marks the order it split', marked],
  ['a plugin that marks nothing', []],
])('%s', (_plugin, meta) => {
  test.each(orders)(
    'by default a person is asked before anything is sold twice: read %i, %i, %i',
    async (...read) => {
      await open(null, meta);
      await sync(...read);
      const all = await made();
      const first = read[0] === 1701 && meta.length === 0;
      // Nothing says that an order was split before one of the others is read.
      expect(all).toEqual([
        first ? '1701 authorized 115.00' : '1701 held sub-orders',
        '1702 held sub-orders',
        '1703 held sub-orders',
      ]);
    },
  );

  test.each(orders)('parent: one factura of 115.00: read %i, %i, %i', async (...read) => {
    await open('parent', meta);
    await sync(...read);
    expect(await made()).toEqual(['1701 authorized 115.00']);
  });

  test.each(orders)('children: facturas of 69.00 and 46.00: read %i, %i, %i', async (...read) => {
    await open('children', meta);
    await sync(...read);
    const first = read[0] === 1701 && meta.length === 0;
    expect(await made()).toEqual(
      first
        ? ['1701 authorized 115.00', '1702 held sub-orders', '1703 held sub-orders']
        : ['1702 authorized 69.00', '1703 authorized 46.00'],
    );
  });
});

test('a refund of a sub-order whose lines were invoiced with the parent is for a person', async () => {
  await open('parent', marked);
  await sync(1701, 1702, 1703);
  bench.shop.refund('1702', { amount: '69.00' });
  await sync(1702);
  expect(await made()).toEqual(['1701 authorized 115.00', '1702 manual null']);
  const [refund] = await bench.ledger.documents.list({ limit: 20, states: ['manual'] });
  expect([refund?.kind, refund?.code]).toEqual(['nota-credito', 'refund-of-split-order']);
});
