import { afterEach, describe, expect, it } from 'vitest';
import { done, type JobHandler, orderSubject } from '../../src/domain/job.ts';
import type { Settlement } from '../../src/domain/order.ts';
import type { Shop } from '../../src/domain/platform.ts';
import { syncOrder } from '../../src/jobs/sync-order.ts';
import { delivery } from '../ledger/samples.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** An order changes before its factura leaves, on its way, or after it: what waits follows it, what left stays. */
let bench: JobBench;
afterEach(() => bench?.close());

const states = async () =>
  (await bench.documents()).map(({ state, code }) => [state, code].filter(Boolean).join(' '));
const shopNow = () => bench.clock.now().toISOString().slice(0, 19);
/** A minute later; what the shop says is read. */
async function change(fields: Record<string, unknown>): Promise<void> {
  bench.advance(60_000);
  bench.shop.put({ ...bench.shop.order('1201'), date_modified_gmt: shopNow(), ...fields });
  await bench.read();
}
const notes = (toBuyer: boolean) =>
  bench.shop
    .notes('1201')
    .filter(({ customer_note }) => Boolean(customer_note) === toBuyer)
    .map(({ note }) => note);
const wrongCedula = { meta_data: [{ id: 1, key: '_billing_cedula', value: '1710034066' }] };
const unpaid = { date_paid: null, date_paid_gmt: null };

describe('an order paid in part', () => {
  it('is looked at again after a week, and then held until the rest is paid', async () => {
    bench = await openJobBench();
    const shop = bench.deps.shop(bench.store) as Shop;
    let settlement: Settlement = 'partially-paid';
    const fetchOrder = async (id: string) => {
      const order = await shop.fetchOrder(id);
      return order && { ...order, settlement };
    };
    const deps = { ...bench.deps, shop: () => ({ ...shop, fetchOrder }) };
    const subject = orderSubject({ platform: 'woocommerce', shop: bench.shop.url, orderId: '1201' });
    const sync = () => syncOrder(deps)({ subject, storeId: 'tienda' } as Parameters<JobHandler>[0]);
    const { paidAt } = (await shop.fetchOrder('1201')) ?? {};
    const dueAt = new Date(Date.parse(paidAt as string) + 7 * 24 * 3_600_000);
    expect(await sync()).toMatchObject({ kind: 'again', dueAt });
    expect(await states()).toEqual([]);
    bench.setTime(dueAt.toISOString());
    expect(await sync()).toEqual(done);
    expect(await states()).toEqual(['held partially-paid']);
    settlement = 'paid';
    await sync();
    expect(await states()).toEqual(['ready paid']);
  });
});

describe('an order that waits for its buyer', () => {
  async function hold(): Promise<object> {
    bench = await openJobBench();
    const order = bench.shop.order('1201') as object;
    await change(wrongCedula);
    expect(await states()).toEqual(['held buyer-id-wrong']);
    return order;
  }

  it('cancelled and then revived: the new document stands on the order, the dropped one does not cover it', async () => {
    const order = await hold();
    await change({ status: 'cancelled', ...unpaid });
    bench.shop.put({ ...order, date_modified_gmt: '2026-11-20T16:00:00' });
    await bench.sell();
    await bench.pass(3);
    expect((await bench.documents()).map(({ ordinal, state }) => [ordinal, state])).toEqual([
      [1, 'cancelled'],
      [2, 'authorized'],
    ]);
    expect(JSON.stringify(bench.shop.order('1201'))).toContain('AUTORIZADO');
    expect(bench.posts()).toEqual([200]);
  });

  it('and is cancelled: a person looks at its money; never paid, it is dropped, and no number was spent', async () => {
    await hold();
    await change({ status: 'cancelled' });
    expect(await bench.document()).toMatchObject({ state: 'held', code: 'cancelled-kept', secuencial: null });
    expect(notes(false).join()).toMatch(/El pedido está cancelado y quedan \d+\.\d\d cobrados/);
    await change(unpaid);
    const dropped = { state: 'cancelled', secuencial: null, writtenBack: 'cancelled' };
    expect(await bench.document()).toMatchObject(dropped);
    expect(JSON.stringify(bench.shop.order('1201'))).toContain('DESCARTADO');
    expect(bench.posts()).toEqual([]);
  });

  it('and is deleted: it is dropped with its reason', async () => {
    await hold();
    bench.shop.remove('1201');
    await bench.read();
    await bench.read();
    expect(await bench.document()).toMatchObject({
      state: 'cancelled',
      reason: expect.stringContaining('cancelado'),
    });
  });

  it('and cannot be seen any more, so old that an app of Shopify may not: nothing changes', async () => {
    await hold();
    bench.shop.remove('1201');
    bench.advance(56 * 24 * 3_600_000);
    await bench.read();
    expect(await states()).toEqual(['held buyer-id-wrong']);
  });
});

it('an order that is deleted after its factura was authorised keeps it', async () => {
  bench = await openJobBench();
  await bench.sell();
  await bench.webhook();
  bench.shop.remove('1201');
  await bench.read();
  expect(await states()).toEqual(['authorized']);
});

describe('an order that is not paid any more while its factura waits for its account', () => {
  const account = { apiKey: 'clave-1', providerApproved: true, credits: 0 };
  /** Its factura has its number already, and the account has no credits. */
  async function unpaidBehindPause(): Promise<void> {
    bench = await openJobBench({ ambiente: 2, sandbox: { accounts: [account] } });
    await bench.read();
    expect(await states()).toEqual(['ready paid']);
    await change({ status: 'on-hold' });
    expect(await states()).toEqual(['held unpaid']);
  }
  async function withCredits(): Promise<void> {
    bench.sandbox.addAccount({ ...account, credits: 100 });
    await bench.wait(...Array(10).fill(1));
  }

  it('is not invoiced, and its merchant reads why', async () => {
    await unpaidBehindPause();
    await withCredits();
    expect(await states()).toEqual(['held unpaid']);
    expect(bench.sandbox.documents()).toEqual([]);
    expect(notes(false).join()).toContain('dejó de estar pagado');
  });

  it('stays so however often it is read, and is invoiced under the same number once it is paid', async () => {
    await unpaidBehindPause();
    await change({});
    // The shop still has its date of payment.
    expect(await states()).toEqual(['held status-not-accepted']);
    await withCredits();
    await change({ status: 'processing' });
    await bench.decided();
    await bench.pass(5);
    expect(await states()).toEqual(['authorized']);
    expect(bench.sandbox.documents().map(({ numero }) => numero)).toEqual(['001-001-000000001']);
  });
});

describe('an order that grew', () => {
  type Woo = Record<string, unknown> & { total: string; line_items: Record<string, unknown>[] };
  /** One more line of 10.00 and its tax. */
  async function grow(): Promise<void> {
    const sold = structuredClone(bench.shop.order('1201')) as unknown as Woo;
    const [line] = sold.line_items;
    const taxes = [{ id: 1, total: '1.5', subtotal: '1.5' }];
    const more = { ...line, id: 99, name: 'Agregado', quantity: 1, price: 10, sku: '', taxes };
    const sums = { subtotal: '10.00', total: '10.00', subtotal_tax: '1.50', total_tax: '1.50' };
    await change({
      total: (Number(sold.total) + 11.5).toFixed(2),
      total_tax: (Number(sold.total_tax) + 1.5).toFixed(2),
      cart_tax: (Number(sold.cart_tax) + 1.5).toFixed(2),
      line_items: [...sold.line_items, { ...more, ...sums }],
    });
  }
  const told = () => notes(false).filter((note) => note.includes('factura complementaria'));

  it('after its factura is written onto the order, once, and its factura stays as it is', async () => {
    bench = await openJobBench();
    await bench.sell();
    await bench.pass(5);
    expect(told()).toEqual([]);
    await grow();
    for (const _ of [1, 2]) {
      await bench.read();
      await bench.pass(5);
    }
    expect(told()).toEqual([
      expect.stringContaining('cobró 11.50 más después de la factura 001-001-000000001'),
    ]);
    expect(bench.shop.order('1201')?.meta_data).toContainEqual(
      expect.objectContaining({ key: '_facturapuente_estado', value: 'AUTORIZADO' }),
    );
    expect(bench.sandbox.documents()).toHaveLength(1);
  });

  it('while its factura was on its way is looked at again once that is authorised', async () => {
    bench = await openJobBench({ sandbox: { authorizeDelayMs: 200 } });
    await bench.read();
    await grow();
    expect(told()).toEqual([]);
    await bench.decided();
    await bench.pass(5);
    expect(told()).toHaveLength(1);
  });

  it('back to what it was, because a refund its factura had left out was deleted on the way, is looked at again', async () => {
    bench = await openJobBench({ sandbox: { authorizeDelayMs: 200 } });
    bench.sandbox.faults.add({ tooManyRequests: { operacion: 'emitir_factura', retryAfterSeconds: 60 } });
    await bench.read();
    expect((await bench.document()).state).toBe('ready');
    const refund = bench.shop.refund('1201', { amount: '10.00' }) as unknown as { id: number };
    await bench.read();
    await bench.wait(2);
    expect((await bench.document()).state).toBe('processing');
    bench.shop.deleteRefund('1201', refund.id);
    bench.advance(1_000);
    await bench.read();
    await bench.decided();
    await bench.pass(5);
    expect(told()).toEqual([expect.stringContaining('10.00')]);
  });
});

describe('in a store without API access, where what its webhooks said is all there is', () => {
  const key = () => ({ platform: 'woocommerce', shop: bench.store.shop, orderId: '1301' });
  async function deliver(fields: object): Promise<void> {
    const order = { ...bench.shop.order('1201'), id: 1301, number: '1301', ...fields };
    const receivedAt = bench.clock.now();
    const body = Buffer.from(JSON.stringify(order));
    await bench.ledger.accept(delivery(receivedAt.toISOString(), { ...key(), body, receivedAt }));
    await bench.read('1301');
  }

  it('an order whose webhooks are no longer kept is not gone: what is held of it is not dropped', async () => {
    bench = await openJobBench({ policy: { finalConsumer: { allowed: false } } });
    Object.assign(bench.deps, { shop: () => null });
    await deliver({ meta_data: [] });
    expect(await states()).toEqual(['held buyer-id-missing']);
    bench.advance(3 * 24 * 3_600_000);
    expect(await bench.ledger.deliveries.prune(bench.clock.now())).toBe(1);
    await bench.read('1301');
    expect(await states()).toEqual(['held buyer-id-missing']);
  });

  it.each(['first', 'last'])(
    'of two webhooks with one time of change the paid one counts where it came %s',
    async (came) => {
      bench = await openJobBench();
      Object.assign(bench.deps, { shop: () => null });
      const ofOneSecond = { date_modified_gmt: '2026-11-20T15:00:00' };
      const states = [ofOneSecond, { ...ofOneSecond, status: 'pending', ...unpaid }];
      for (const state of came === 'first' ? states : states.toReversed()) {
        await deliver(state);
        bench.advance(300);
      }
      await bench.run();
      expect((await bench.document()).state).toBe('processing');
    },
  );

  it('a change reported with a clock that ran ahead does not hide later ones', async () => {
    bench = await openJobBench();
    Object.assign(bench.deps, { shop: () => null });
    await deliver({ status: 'pending', ...unpaid, date_modified_gmt: '2026-11-21T15:00:00' });
    bench.advance(60_000);
    await deliver({ date_modified_gmt: '2026-11-20T15:00:58' });
    await bench.wait(1);
    expect(await states()).toEqual(['processing']);
    expect(bench.alerts).toEqual(['shop-clock-back']);
  });
});
