import { afterEach, describe, expect, it } from 'vitest';
import { close } from '../reports/day.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { callsOver } from '../support/operations.ts';
import { calls, reconcileNow } from '../support/reconciliation.ts';

/** A reading of an order that another source contradicts is no reading: the order is unread until they agree. */
let bench: JobBench;
afterEach(() => bench?.close());

const key = (orderId: string) => ({ platform: 'woocommerce', shop: bench.shop.url, orderId });
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

async function openBehindProxy(): Promise<JobBench> {
  bench = await openJobBench({ hostile: true, policy: { finalConsumer: { allowed: true } } });
  return bench;
}

/** The answers of `GET orders/1201` until `ends` is called; the list and the webhooks stay as they are. */
function answering(status: number, body: unknown, of: (path: string) => boolean = () => true): () => void {
  let lasts = true;
  const isOrder = /\/orders\/1201(\?|$)/;
  const changed = { status, body: Buffer.from(JSON.stringify(body)) };
  bench.hostile?.shop.change(
    ({ method, path }) => (lasts && method === 'GET' && isOrder.test(path) && of(path) ? changed : undefined),
    10_000,
  );
  return () => {
    lasts = false;
  };
}
const notFound = () =>
  answering(404, { code: 'woocommerce_rest_shop_order_invalid_id', message: 'No.', data: { status: 404 } });

/** A signed webhook, stored as the endpoint stores it, and its job. */
async function webhook(body: object | undefined, topic = 'order.updated'): Promise<void> {
  const receivedAt = bench.clock.now();
  await bench.ledger.accept({
    ...{ connection: 'tienda', dedupeKey: `${topic} ${JSON.stringify(body)}`, topic },
    ...{ ...key('1201'), body: bytes(body), receivedAt, job: null },
  });
  await bench.read('1201');
}

const changed = (orderId: string, change: object): object => {
  const date_modified_gmt = bench.clock.now().toISOString().slice(0, 19);
  const order = { ...bench.shop.order(orderId), date_modified_gmt, ...change };
  bench.shop.put(order);
  return order;
};
const unpaid = { status: 'pending', date_paid_gmt: null, date_paid: null };
const states = async (orderId = '1201') =>
  (await bench.ledger.documents.ofOrder(key(orderId))).map(({ kind, state }) => `${kind} ${state}`);
const unread = async () => (await bench.ledger.failing.unreadOrders()).map(({ orderId }) => orderId);
const alerted = async () => {
  const { what, resolution } =
    (await bench.ledger.alerts.open()).find(({ code }) => code === 'order-unread') ?? {};
  return what && `${what} ${resolution}`;
};
/** Hours with the jobs and the reconciliation of a running process. */
async function hours(count: number): Promise<void> {
  for (let quarter = 0; quarter < 4 * count; quarter += 1) {
    bench.advance(15 * 60_000);
    await reconcileNow(bench);
    await bench.decided();
  }
}

describe('an order that the shop signs or lists, and does not find', () => {
  it('is read again until it is found, and people are alerted after an hour', async () => {
    await openBehindProxy();
    const heal = notFound();
    await webhook(bench.shop.order('1201'));
    await bench.pass(5);
    expect([await states(), await unread(), await alerted()]).toEqual([[], ['1201'], undefined]);
    await hours(14);
    expect([await states(), await unread()]).toEqual([[], ['1201']]);
    expect(await alerted()).toMatch(/pedido #1201 \(33.75 USD\)/);
    const { close: closed } = await close(bench);
    expect(closed.result).toBe('incomplete');
    expect(closed.unanswered).toMatchObject([{ source: 'order', name: '1201' }]);
    heal();
    await hours(1.5);
    expect([await states(), await unread()]).toEqual([['factura authorized'], []]);
    expect(await alerted()).toBeUndefined();
  });

  it('is unread when only a list shows it', async () => {
    await openBehindProxy();
    const heal = notFound();
    await reconcileNow(bench);
    await hours(2);
    expect([await states(), await unread()]).toEqual([[], ['1201']]);
    expect(await alerted()).toContain('1201');
    heal();
    await hours(1);
    expect(await states()).toEqual(['factura authorized']);
  });

  it('is unread where a webhook of the same second states it as paid and the answer as unpaid', async () => {
    await openBehindProxy();
    const paid = bench.shop.order('1201');
    bench.shop.put({ ...paid, ...unpaid });
    await webhook(paid);
    expect([await states(), await unread()]).toEqual([[], ['1201']]);
    await hours(3);
    expect([await states(), await unread()]).toEqual([[], ['1201']]);
    expect(await alerted()).toContain('guarde el pedido otra vez');
    bench.shop.put(paid);
    await hours(1);
    expect([await states(), await unread(), await alerted()]).toEqual([
      ['factura authorized'],
      [],
      undefined,
    ]);
  });

  it('is read where a webhook of the same second says the same, with a payment date and not paid', async () => {
    await openBehindProxy();
    const onHold = { ...bench.shop.order('1201'), status: 'on-hold' };
    bench.shop.put(onHold);
    await webhook(onHold);
    expect([await states(), await unread()]).toEqual([['factura held'], []]);
  });

  it('keeps what waits for a person', async () => {
    await openBehindProxy();
    changed('1201', { currency: 'EUR' });
    await reconcileNow(bench);
    expect(await states()).toEqual(['factura held']);
    const heal = notFound();
    await bench.read('1201');
    await hours(2);
    expect([await states(), await unread()]).toEqual([['factura held'], ['1201']]);
    expect(await alerted()).toContain('#1201');
    heal();
    await hours(1);
    expect([await states(), await unread()]).toEqual([['factura held'], []]);
  });

  it('is unread when neither the list nor the order answers, and a signed webhook says that it is paid', async () => {
    await openBehindProxy();
    const paid = bench.shop.order('1201') ?? {};
    bench.shop.remove('1201');
    await webhook(paid);
    await bench.pass(5, 30, 60);
    expect(await alerted()).toContain('#1201');
    bench.shop.put(paid);
    await hours(1);
    expect([await states(), await unread(), await alerted()]).toEqual([
      ['factura authorized'],
      [],
      undefined,
    ]);
  });

  it('is gone once a person says that the shop deleted it', async () => {
    await openBehindProxy();
    await webhook(bench.shop.order('1201'));
    bench.advance(60_000);
    const edited = changed('1201', { customer_note: 'otra' });
    bench.shop.remove('1201');
    await webhook(edited);
    await bench.pass(5, 30, 60);
    const [alert] = (await bench.ledger.alerts.open()).filter(({ code }) => code === 'order-unread');
    const { clearAlert } = callsOver(bench.deps, { stores: new Map() });
    const cleared = { code: 'order-unread', subject: alert?.subject ?? '' };
    expect(await clearAlert(cleared)).toMatchObject({ done: true });
    await hours(3);
    expect([await unread(), await alerted()]).toEqual([[], undefined]);
    expect((await bench.ledger.orders.get(key('1201')))?.snapshot).toMatchObject({ status: 'deleted' });
  });

  it('is gone once the shop signs that it deleted it', async () => {
    await openBehindProxy();
    changed('1201', { currency: 'EUR' });
    await webhook(bench.shop.order('1201'));
    expect(await states()).toEqual(['factura held']);
    bench.advance(60_000);
    const edited = changed('1201', { customer_note: 'otra' });
    bench.shop.remove('1201');
    await webhook(edited);
    expect([await states(), await unread()]).toEqual([['factura held'], ['1201']]);
    bench.advance(60_000);
    await webhook({ id: 1201 }, 'order.deleted');
    expect([await states(), await unread(), await alerted()]).toEqual([['factura cancelled'], [], undefined]);
    bench.advance(60_000);
    await webhook(
      { action: 'woocommerce_payment_complete', arg: 1201 },
      'action.woocommerce_payment_complete',
    );
    expect(await unread()).toEqual([]);
    bench.advance(60_000);
    const date_modified_gmt = bench.clock.now().toISOString().slice(0, 19);
    await webhook({ ...edited, date_modified_gmt }, 'order.restored');
    expect(await unread()).toEqual(['1201']);
  });
});

describe('an order that the shop answers as it was before', () => {
  it('is unread while a cache keeps the state before payment', async () => {
    await openBehindProxy();
    const old = changed('1201', unpaid);
    await reconcileNow(bench);
    const heal = answering(200, old);
    bench.advance(60 * 60_000);
    const paid = changed('1201', { status: 'processing', date_paid_gmt: '2026-11-20T16:00:00' });
    await webhook(paid);
    await bench.pass(5);
    expect([await unread(), await alerted()]).toEqual([['1201'], undefined]);
    await hours(26);
    expect([await states(), await unread()]).toEqual([[], ['1201']]);
    expect(await alerted()).toContain('caché');
    heal();
    await hours(1);
    expect([await states(), await unread(), await alerted()]).toEqual([
      ['factura authorized'],
      [],
      undefined,
    ]);
  });

  it('is unread when the list alone shows a later change', async () => {
    await openBehindProxy();
    const old = changed('1201', unpaid);
    await reconcileNow(bench);
    const heal = answering(200, old);
    bench.advance(60 * 60_000);
    changed('1201', { status: 'processing', date_paid_gmt: '2026-11-20T16:00:00' });
    await reconcileNow(bench);
    await hours(2);
    expect([await states(), await unread()]).toEqual([[], ['1201']]);
    heal();
    await hours(1);
    expect(await states()).toEqual(['factura authorized']);
  });

  it('is unread, and people are alerted, when the list alone shows the change and the ledger has no row of the order', async () => {
    await openBehindProxy();
    answering(200, changed('1201', unpaid));
    bench.advance(60 * 60_000);
    changed('1201', { status: 'processing', date_paid_gmt: '2026-11-20T16:00:00' });
    await reconcileNow(bench);
    await hours(2);
    expect([await states(), await unread()]).toEqual([[], ['1201']]);
    expect(await alerted()).toContain('#1201 (33.75 USD)');
  });

  it('is unread while a cache keeps the state of the second of the payment, and only the list shows that it is paid', async () => {
    await openBehindProxy();
    const heal = answering(200, { ...changed('1201', {}), ...unpaid });
    bench.advance(5 * 60_000);
    await bench.read('1201');
    expect([await states(), await unread()]).toEqual([[], []]);
    await hours(2);
    expect([await states(), await unread()]).toEqual([[], ['1201']]);
    expect(await alerted()).toContain('#1201 (33.75 USD)');
    expect((await close(bench)).close.unanswered).toMatchObject([{ source: 'order', name: '1201' }]);
    heal();
    await hours(1);
    expect([await states(), await unread(), await alerted()]).toEqual([
      ['factura authorized'],
      [],
      undefined,
    ]);
  });

  it('is missing in the close once it is shown as paid, where it was read in the state of that second', async () => {
    await openBehindProxy();
    const heal = answering(200, { ...changed('1201', {}), ...unpaid });
    bench.advance(5 * 60_000);
    await bench.read('1201');
    heal();
    bench.advance(60 * 60_000);
    const { differences } = (await close(bench)).close;
    expect(differences).toContainEqual(
      expect.objectContaining({ code: 'sale-without-document', order: '#1201' }),
    );
  });

  it('is read past the cache at once, where the cache keeps addresses', async () => {
    await openBehindProxy();
    const old = changed('1201', unpaid);
    answering(200, old, (path) => !path.includes('_='));
    bench.advance(60 * 60_000);
    await webhook(changed('1201', { status: 'processing', date_paid_gmt: '2026-11-20T16:00:00' }));
    expect([await states(), await unread()]).toEqual([['factura processing'], []]);
  });

  it('is read whatever a webhook says of another order with its id', async () => {
    await openBehindProxy();
    bench.advance(60 * 60_000);
    const at = bench.clock.now().toISOString().slice(0, 19);
    const other = { order_key: 'wc_order_otra', date_created_gmt: at, date_modified_gmt: at };
    await webhook({ ...bench.shop.order('1201'), ...other });
    expect([await states(), await unread()]).toEqual([['factura processing'], []]);
  });

  it('costs one call of the shop while nothing contradicts it', async () => {
    await openBehindProxy();
    const made = calls(bench);
    await webhook(bench.shop.order('1201'));
    expect(made().filter((path) => path.startsWith('GET'))).toEqual(['GET orders/1201']);
  });
});
