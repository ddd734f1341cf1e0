import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/core/log.ts';
import type { Order } from '../../src/core/order.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { forgetIn } from '../../src/steps/forget-buyer.ts';
import { sealKey } from '../ledger/samples.ts';
import { temporaryDirectory } from '../ledger/support/processes.ts';
import { order as madeOrder } from '../support/orders.ts';

const shop = { platform: 'woocommerce', shop: 'https://tienda.ec' };
const mark = { orders: [], email: 'ana@example.ec', phone: null };

test('an order the shop changed while a buyer is forgotten is not put back to what it was', async () => {
  const clock = { now: () => new Date('2026-11-21T15:00:00Z') };
  const ledger = await openLedger({ directory: temporaryDirectory(), sealKey }, clock, silentLog);
  onTestFinished(() => ledger.close());
  const save = async (day: string, total: string) => {
    const snapshot: Order = { ...madeOrder({}), ...shop, id: '1', total };
    snapshot.buyer = { ...snapshot.buyer, name: 'Ana Torres', email: 'ana@example.ec' };
    const facts = { storeId: 'tienda', name: '#1', sourceUpdatedAt: `${day}T12:00:00Z` };
    const readAt = new Date(facts.sourceUpdatedAt);
    await ledger.orders.save({ ...shop, orderId: '1', ...facts, snapshot, readAt });
  };
  await save('2026-11-20', '10.00');
  // A page of orders was read; the shop tells of a change before this one has its turn.
  const ofShop: typeof ledger.orders.ofShop = async (...asked) => {
    const page = await ledger.orders.ofShop(...asked);
    await save('2026-11-21', '7.00');
    return page;
  };
  const raced = { ...ledger, orders: { ...ledger.orders, ofShop } };
  const { report, open } = await forgetIn({ ledger: raced, log: silentLog }, { ...shop, mark });
  expect([report.orders, open]).toEqual([['1'], 0]);
  const left = (await ledger.orders.get({ ...shop, orderId: '1' }))?.snapshot as Order;
  expect([left.total, left.buyer.name]).toEqual(['7.00', null]);
});
