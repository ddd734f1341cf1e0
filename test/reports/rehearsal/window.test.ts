import { afterEach, describe, expect, it } from 'vitest';
import { memoryCredentials } from '../../../adapters/contract/index.ts';
import { woocommerce } from '../../../adapters/woocommerce/index.ts';
import { type Sale, sales, toWooOrder } from '../../../sandbox/shops/woocommerce-orders.ts';
import { openWooCommerceShop, type WooCommerceShop } from '../../../sandbox/shops/woocommerce-shop.ts';
import { openOutbound } from '../../../src/app/outbound.ts';
import type { Shop } from '../../../src/domain/platform.ts';
import { silentLog } from '../../../src/domain/ports.ts';
import type { Store } from '../../../src/domain/settings.ts';
import { readPast, rehearse } from '../../../src/reports/rehearsal/rehearse.ts';
import { store as seller } from '../../support/orders.ts';

/* Which orders and refunds a rehearsal is about, and how it is counted what a month would take. */

const now = new Date('2026-11-20T17:00:00Z');
const day = 24 * 3_600_000;
const ago = (days: number) => new Date(now.getTime() - days * day);
const keys = { consumerKey: 'ck_prueba', consumerSecret: 'cs_prueba' };
const sale = sales[0] as Sale;
let woo: WooCommerceShop;
let shop: Shop;
let time = now;
afterEach(async () => {
  await shop?.close();
  await woo?.close();
});

async function open() {
  woo = await openWooCommerceShop({ orders: [], ...keys, clock: { now: () => time } });
  const connection = woocommerce.connection.parse({ url: woo.url, webhookSecrets: ['x'], ...keys });
  const opened = woocommerce.openShop(
    { connection, app: null },
    {
      clock: { now: () => now },
      log: silentLog,
      userAgent: 'test',
      credentials: memoryCredentials(),
      outbound: openOutbound(),
    },
  );
  if (!opened) throw new Error('The store has no API.');
  shop = opened;
}
const sell = (id: number, days: number) => woo.put(toWooOrder({ ...sale, id }, ago(days)));
function giveBack(id: number, days: number, amount: string) {
  time = ago(days);
  woo.refund(id, { amount, reason: 'Demora' });
}
const rehearsed = (days: number, most = 1_000) => {
  const store = { ...seller, id: 'tienda', platform: woocommerce, shop: woo.url } as unknown as Store;
  const rechargeFor = (perDay: number) => ({ usd: perDay * 365, documents: 1 });
  return rehearse({ store, shop, now, rechargeFor }, { since: ago(days), most });
};

describe('a rehearsal since a day', () => {
  it('counts what was paid since, and what was given back since of whatever was sold before', async () => {
    await open();
    sell(1, 40);
    sell(2, 40);
    sell(3, 10);
    giveBack(2, 35, '1.00');
    giveBack(1, 5, '2.00');
    const { documents } = await rehearsed(30);
    expect(documents.map(({ kind, orderId, charged }) => [kind, orderId, charged])).toEqual([
      ['factura', '3', documents[0]?.charged],
      ['nota-credito', '1', '2.00'],
    ]);
  });

  it('finds a refund that did not change its order', async () => {
    await open();
    sell(1, 40);
    giveBack(1, 5, '2.00');
    const order = woo.order(1);
    const before = toWooOrder({ ...sale, id: 1 }, ago(40)) as { date_modified_gmt: string };
    woo.put({ ...order, date_modified_gmt: before.date_modified_gmt }, woo.refunds(1));
    const { figures } = await rehearsed(30);
    expect([figures.orders, figures.refunds, figures.notasCredito.total]).toEqual([0, 1, '2.00']);
  });

  it('begins later where there are too many, so that no sale of its time is missing', async () => {
    await open();
    for (let id = 1; id <= 9; id += 1) sell(id, 20 - id);
    const { documents, leftOut, since } = await rehearsed(30, 4);
    expect(documents.map(({ orderId }) => orderId)).toEqual(['6', '7', '8', '9']);
    expect([leftOut, since]).toEqual([5, ago(14).toISOString()]);
  });

  it('reckons a month from the first sale of a shop that is younger than what was asked for', async () => {
    await open();
    for (let id = 1; id <= 20; id += 1) sell(id, 20 - id + 0.5);
    const { monthly } = await rehearsed(365);
    expect(monthly).toMatchObject({ days: 20, credits: 31, creditsWithHelp: 31 });
    expect(monthly.recharge.usd).toBeCloseTo(365);
  });

  it('tells how far it has come, and reads no order twice', async () => {
    await open();
    for (let id = 1; id <= 7; id += 1) sell(id, id);
    const reported: string[] = [];
    const read: string[] = [];
    await readPast(
      shop,
      { since: ago(30), most: 99, progress: (done, of) => void reported.push(`${done}/${of}`) },
      ({ id }) => read.push(id),
    );
    expect(read.toSorted()).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect([reported[0], reported.at(-1)]).toEqual(['1/null', '7/7']);
  });

  it('goes on past an order nobody can read, and names it', async () => {
    await open();
    sell(1, 3);
    woo.put({ ...toWooOrder({ ...sale, id: 2 }, ago(2)), total: 'mucho' });
    const { documents, unreadable } = await rehearsed(30);
    expect(documents.map(({ orderId }) => orderId)).toEqual(['1']);
    expect(unreadable).toEqual([{ id: '2', reason: expect.stringContaining('«total»') }]);
  });

  it('gives up where no order can be read', async () => {
    await open();
    for (let id = 1; id <= 12; id += 1) woo.put({ ...toWooOrder({ ...sale, id }, ago(2)), total: 'mucho' });
    await expect(rehearsed(30)).rejects.toMatchObject({ code: 'shop-answer' });
  });
});
