import { afterEach, describe, expect, test } from 'vitest';
import { acceptReading } from '../../src/jobs/retry.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/* A marketplace's order of two vendors: 1701 and the two it was split into, all of them paid unless a test says otherwise. */

let bench: JobBench;
afterEach(() => bench?.close());

const vendors = { 1702: 'CAM-M', 1703: 'LIB-1' } as const;
type Id = 1701 | keyof typeof vendors;

/** Lines of 60.00 and 40.00 and their IVA. */
function woo(id: Id, meta: { key: string; value: unknown }[] = [], more: object = {}) {
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
    ...more,
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

test.each([
  ['parent', ['1701 authorized 115.00']],
  ['children', ['1702 authorized 69.00', '1703 authorized 46.00']],
])(
  'a renewal whose mark was copied to the orders it was split into is invoiced once: %s',
  async (policy, facturas) => {
    const renewal = [{ key: '_subscription_renewal', value: '61' }];
    await openOrders(policy, [woo(1701, [...marked, ...renewal]), woo(1702, renewal), woo(1703, renewal)]);
    await sync(1701, 1702, 1703);
    expect(await made()).toEqual(facturas);
  },
);

test('units that were split into two orders are told from those that were taken out once both are read', async () => {
  const shirts = (id: Id, quantity: number) => {
    const [shirt] = woo(1702).line_items;
    const [net, tax, total] = [60, 9, 69].map((one) => (one * quantity).toFixed(2)) as [
      string,
      string,
      string,
    ];
    const sold = {
      ...shirt,
      id,
      quantity,
      subtotal: net,
      total: net,
      total_tax: tax,
      taxes: [{ id: 1, total: tax }],
    };
    return woo(id, [], { line_items: [sold], total, total_tax: tax });
  };
  await openOrders('parent', [shirts(1701, 2), shirts(1702, 1), shirts(1703, 1)]);
  await sync(1702);
  expect(await made()).toEqual(['1701 authorized 138.00', '1702 held sub-orders']);
  await sync(1703);
  expect(await made()).toEqual(['1701 authorized 138.00']);
});

const unpaid = { status: 'on-hold', date_paid_gmt: null };
const dead = { status: 'cancelled', date_paid_gmt: null };
const at = (minute: number) => ({ date_modified_gmt: `2026-11-20T14:0${minute}:00` });

async function openOrders(policy: string | null, orders: unknown[]): Promise<void> {
  bench = await openJobBench({ orders, ...(policy && { policy: { subOrders: policy } }) });
}

describe('an order beside one that was read as unpaid', () => {
  test('of the same sale is decided as soon as that one is read as paid or cancelled', async () => {
    for (const [later, facturas] of [
      [{}, ['1701 authorized 115.00']],
      [dead, ['1702 authorized 69.00']],
    ] as const) {
      await openOrders('parent', [woo(1701, [], unpaid), woo(1702)]);
      await sync(1702);
      expect(await made()).toEqual(['1702 held sub-orders']);
      bench.shop.put(woo(1701, [], { ...later, ...at(5) }) as never);
      await sync(1701);
      expect(await made()).toEqual(facturas);
      expect(await bench.jobsLeft()).toBe(0);
      await bench.close();
    }
    await openOrders('children', [woo(1701), woo(1702), woo(1703, [], unpaid)]);
    await sync(1703, 1702);
    expect(await made()).toEqual(['1701 held sub-orders', '1702 authorized 69.00']);
    bench.shop.put(woo(1703, [], at(5)) as never);
    await sync(1703);
    expect(await made()).toEqual(['1702 authorized 69.00', '1703 authorized 46.00']);
  });
});

describe('a person says that an order was paid apart from the one it refers to', () => {
  test('and each gets its factura, at every later reading too', async () => {
    const later = { date_paid_gmt: '2026-11-20T14:40:00', date_modified_gmt: '2026-11-20T14:40:00' };
    await openOrders('parent', [woo(1701), woo(1702, [], later)]);
    await sync(1702);
    expect(await made()).toEqual(['1701 authorized 115.00', '1702 held sub-orders']);
    const held = await bench.documentOf('1702');
    const { kind } = await acceptReading(bench.deps, held, 'ana@conector');
    expect(kind).toBe('looked-again');
    await sync(1702, 1701);
    expect(await made()).toEqual(['1701 authorized 115.00', '1702 authorized 69.00']);
  });

  test('and the other, which was held because of it, is planned again', async () => {
    await openOrders(null, [woo(1701), woo(1702)]);
    await sync(1702);
    expect(await made()).toEqual(['1701 held sub-orders', '1702 held sub-orders']);
    await acceptReading(bench.deps, await bench.documentOf('1701'), 'ana@conector');
    await bench.pass(1, 1, 1);
    expect(await made()).toEqual(['1701 authorized 115.00', '1702 authorized 69.00']);
  });
});

test('a refund of the parent is credited once it is registered with the orders that were invoiced', async () => {
  await open('children', marked);
  await sync(1701, 1702, 1703);
  bench.shop.refund('1701', { amount: '115.00' });
  await sync(1701);
  const [refund] = await bench.ledger.documents.list({ limit: 20, states: ['manual'] });
  expect(refund?.reason).toContain('registre allí el reembolso');
  bench.shop.refund('1702', { amount: '69.00' });
  bench.shop.refund('1703', { amount: '46.00' });
  await sync(1702, 1703);
  const credits = await bench.ledger.documents.list({ limit: 20, states: ['authorized'] });
  expect(credits.map(({ kind, total }) => `${kind} ${total}`).sort()).toEqual([
    ...['factura 46.00', 'factura 69.00', 'nota-credito 46.00', 'nota-credito 69.00'],
  ]);
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
