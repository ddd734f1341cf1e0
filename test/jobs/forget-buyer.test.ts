import { expect, onTestFinished, test } from 'vitest';
import type { Order } from '../../src/domain/order.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { forgetIn } from '../../src/jobs/forget-buyer.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { attempt, document, encryptionKey, noon } from '../ledger/samples.ts';
import { temporaryDirectory } from '../ledger/support/processes.ts';
import { order as madeOrder } from '../support/orders.ts';

const shop = { platform: 'woocommerce', shop: 'https://tienda.ec' };
const mark = { orders: [], email: 'ana@example.ec', phone: null };

async function opened() {
  const clock = { now: () => new Date('2026-11-21T15:00:00Z') };
  const ledger = await openLedger({ directory: temporaryDirectory(), encryptionKey }, clock, silentLog);
  onTestFinished(() => ledger.close());
  const save = async (day: string, total: string, at = shop.shop) => {
    const snapshot: Order = { ...madeOrder({}), ...shop, shop: at, id: '1', total };
    snapshot.buyer = { ...snapshot.buyer, name: 'Ana Torres', email: 'ana@example.ec' };
    const facts = { storeId: 'tienda', name: '#1', sourceUpdatedAt: `${day}T12:00:00Z` };
    const readAt = new Date(facts.sourceUpdatedAt);
    await ledger.orders.save({ ...shop, shop: at, orderId: '1', ...facts, snapshot, readAt });
  };
  const left = async (at = shop.shop) =>
    (await ledger.orders.get({ ...shop, shop: at, orderId: '1' }))?.snapshot as Order;
  return { ledger, save, left };
}

test('an order the shop changed while a buyer is forgotten is not put back to what it was', async () => {
  const { ledger, save, left } = await opened();
  await save('2026-11-20', '10.00');
  // A page of orders was read; the shop reports a change before this one is reached.
  const ofShop: typeof ledger.orders.ofShop = async (...asked) => {
    const page = await ledger.orders.ofShop(...asked);
    await save('2026-11-21', '7.00');
    return page;
  };
  const raced = { ...ledger, orders: { ...ledger.orders, ofShop } };
  const { report, open } = await forgetIn({ ledger: raced, log: silentLog }, { ...shop, mark });
  expect([report.orders, open]).toEqual([['1'], 0]);
  const { total, buyer } = await left();
  expect([total, buyer.name]).toEqual(['7.00', null]);
});

test('a factura on its way keeps its buyer until it is done', async () => {
  const { ledger, save, left } = await opened();
  await save('2026-11-20', '10.00');
  const forget = () => forgetIn({ ledger, log: silentLog }, { ...shop, mark });
  const order = { ...shop, orderId: '1', sourceId: '1' };
  const real = await ledger.documents.create(document({ ...order, state: 'ready', ambiente: 2 }));
  expect(await forget()).toMatchObject({ report: { orders: [] }, open: 1 });
  expect((await left()).buyer.name).toBe('Ana Torres');
  await ledger.documents.move(real?.id ?? '', { from: ['ready'], to: 'cancelled', now: noon });
  expect(await forget()).toMatchObject({ report: { orders: ['1'] }, open: 0 });
  expect((await left()).buyer.name).toBeNull();
});

test('what was sent for a factura stays as the tax law requires', async () => {
  const { ledger, save } = await opened();
  const body = JSON.stringify({ comprador: { razon_social: 'Ana Torres', identificacion: '1710034065' } });
  await save('2026-11-20', '10.00');
  const order = { ...shop, orderId: '1', sourceId: '1', ambiente: 2 } as const;
  const { id = '' } = (await ledger.documents.create(document({ ...order, state: 'ready' }))) ?? {};
  await ledger.documents.move(id, { from: ['ready'], to: 'sending', now: noon });
  await ledger.attempts.add(attempt(id, { body }));
  await ledger.files.keep({ documentId: id, kind: 'xml', bytes: new Uint8Array(9), now: noon });
  await ledger.documents.move(id, { from: ['sending'], to: 'processing', now: noon });
  await ledger.documents.move(id, { from: ['processing'], to: 'authorized', now: noon });
  const { report } = await forgetIn({ ledger, log: silentLog }, { ...shop, mark });
  expect(report.stays).toHaveLength(1);
  const [sent] = await ledger.attempts.ofDocument(id);
  expect(sent?.body).toContain('Ana Torres');
  expect(await ledger.files.kinds(id)).toEqual(['xml']);
});
