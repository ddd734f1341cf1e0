import { afterEach, describe, expect, it } from 'vitest';
import { wooOrders } from '../../../sandbox/shops/woocommerce-orders.ts';
import { orderSubject } from '../../../src/domain/job.ts';
import { laterSaleOf } from '../../../src/jobs/apply-plan.ts';
import { acceptReading } from '../../../src/jobs/retry.ts';
import { closeDay, openClosing } from '../../../src/reports/close/close.ts';
import { openSigner } from '../../../src/reports/close/keep-close.ts';
import { type JobBench, openJobBench } from '../../support/job-bench.ts';
import { byHand, close, codes, day, settle } from '../day.ts';

/** A close is green only where every order was read and is still paid, every document is confirmed and nothing is overdue. */
let bench: JobBench;
const hour = 60 * 60_000;
const morning = new Date('2026-11-20T15:00:00Z');
const [first, second] = wooOrders(morning) as [Record<string, unknown>, Record<string, unknown>];
const open = async (options: Parameters<typeof openJobBench>[0] = {}) => {
  bench = await openJobBench({ orders: [first, second], ...options });
};
const settled = async () => {
  await open();
  await settle(bench, '1201', '1202');
  bench.advance(hour);
};
afterEach(() => bench?.close());

const result = async (of = day) => {
  const closed = await close(bench, of);
  return [closed.close.result, ...codes(closed)];
};
const withMeta = (id: string, value: string) => {
  const order = bench.shop.order(id) as { meta_data: { key: string; value: unknown }[] };
  const others = order.meta_data.filter(({ key }) => key !== '_facturapuente_clave_acceso');
  bench.shop.change(id, { meta_data: [...others, { id: 999, key: '_facturapuente_clave_acceso', value }] });
};

describe('an invoiced order that is no longer paid', () => {
  it.each(['failed', 'on-hold', 'pending', 'chargeback'])('makes its day red: %s', async (status) => {
    await settled();
    bench.shop.change('1201', { status });
    const closed = await close(bench);
    expect([closed.close.result, ...codes(closed)]).toEqual(['red', 'unpaid-after-invoice']);
    expect(closed.close.differences[0]?.sentence).toMatch(/^Pedido #1201: El pedido dejó de figurar pagado/);
    // It is of this day, not of another one.
    expect(closed.close.issued[0]?.ofOtherDays.count).toBe(0);
    expect(closed.close.sales).toMatchObject({ sold: { count: 2 }, issued: { count: 2 } });
    // The order says so too, and its refund settles it.
    await settle(bench, '1201');
    const note = bench.shop.notes('1201').map(({ note }) => note);
    expect(note.join()).toContain('dejó de figurar pagado');
    const row = await bench.ledger.orders.get({
      platform: 'woocommerce',
      shop: bench.store.shop,
      orderId: '1201',
    });
    expect(laterSaleOf(row?.decision)).toContain('dejó de figurar pagado');
    bench.shop.refund('1201', { amount: String(first.total) });
    await settle(bench, '1201');
    bench.advance(hour);
    expect(await result()).toEqual(['green']);
  });

  it('also where its status says refunded and the shop has no refund', async () => {
    await settled();
    bench.shop.put({ ...bench.shop.order('1201'), status: 'refunded', refunds: [] });
    expect(await result()).toEqual(['red', 'refund-missing']);
  });

  it('does not where the policy keeps cancelled orders as sales, or the order was finished', async () => {
    await settled();
    bench.shop.change('1202', { status: 'completed' });
    expect(await result()).toEqual(['green']);
    bench.shop.change('1201', { status: 'cancelled' });
    expect(await result()).toEqual(['red', 'document-without-sale']);
    const policy = { ...bench.store.policy, cancelledOrders: 'invoice' as const };
    const { close: closed } = await closeDay(bench.deps, {
      ...{ day, stores: [{ ...bench.store, policy }], scope: '*' },
    });
    expect(closed.result).toBe('green');
  });
});

describe('a text in our field for the access key', () => {
  it.each(['N/A', 'pendiente', '123'])('holds its order, and the day is closed: %s', async (text) => {
    await open();
    withMeta('1201', text);
    await settle(bench, '1201', '1202');
    bench.advance(hour);
    const held = await bench.documentOf('1201');
    expect(held).toMatchObject({ state: 'held', code: 'unknown-access-key' });
    expect(held.reason).toContain(`«${text}»`);
    expect((await close(bench)).close).toMatchObject({
      result: 'green',
      sales: { waiting: [{ code: 'unknown-access-key', count: 1 }] },
    });
    await acceptReading(bench.deps, held, 'ana@conector');
    await settle(bench, '1201');
    expect(await bench.documentOf('1201')).toMatchObject({ state: 'authorized' });
  });

  it.each([-1, 1])('that is our key with %d digits more is read, held and closed', async (more) => {
    await settled();
    const key = (await bench.documentOf('1201')).accessKey as string;
    bench.shop.put({ ...first, id: 1301, number: '1301', order_key: 'wc_order_otro' });
    withMeta('1301', more < 0 ? key.slice(0, more) : `${key}1`);
    await settle(bench, '1301');
    expect(await bench.documentOf('1301')).toMatchObject({ state: 'held', code: 'unknown-access-key' });
    bench.advance(hour);
    expect((await close(bench)).close.unanswered).toEqual([]);
  });
});

describe('what goes wrong with one order', () => {
  it('leaves the others their close, and the day without a result', async () => {
    await settled();
    bench.shop.change('1201', { total: 'muchos' });
    const { close: closed } = await close(bench);
    expect(closed.unanswered).toMatchObject([{ source: 'order', name: '1201' }]);
    expect(closed).toMatchObject({ result: 'incomplete', differences: [], sales: { issued: { count: 1 } } });
  });

  it('also where the ledger knows that it is unread, whatever the shop answers now', async () => {
    await settled();
    await bench.sync('1201');
    byHand(bench, `update jobs set failing_since = '2026-11-20T15:30:00Z', reason = 'Tardó.'`);
    const { close: closed } = await close(bench);
    expect(closed).toMatchObject({ result: 'incomplete', differences: [], sales: { issued: { count: 1 } } });
    expect(closed.unanswered).toMatchObject([{ source: 'order', name: '1201' }]);
    // Of another day it says nothing.
    bench.setTime('2026-11-23T15:00:00Z');
    expect(await result('2026-11-22')).toEqual(['green']);
  });

  it('also where it breaks the whole close, which is kept and reported like one without an answer', async () => {
    await settled();
    const days = {
      ...bench.deps.ledger.days,
      issued: () => Promise.reject(new TypeError('of a fault of ours')),
    };
    const deps = { ...bench.deps, ledger: { ...bench.deps.ledger, days } };
    const stores = new Map([[bench.store.id, bench.store]]);
    const closing = openClosing(deps, { stores }, openSigner(new Uint8Array(32).fill(3)));
    const { close: closed, kept } = await closing.close({ day, save: true });
    expect(closed).toMatchObject({ result: 'incomplete', unanswered: [{ source: 'close' }] });
    expect(kept?.result).toBe('incomplete');
    await closing.reportOf(closed);
    expect(bench.alerts).toContain('close-differs');
  });
});

describe('work that is not done', () => {
  it('a document without confirmation leaves the day open, until it has one', async () => {
    await open({ sandbox: { authorizeDelayMs: 10 * 60_000 } });
    await bench.sync('1201');
    await bench.run();
    expect((await close(bench)).close).toMatchObject({ result: 'green', provisional: true });
    bench.setTime('2026-11-21T07:01:00Z');
    const { close: closed } = await close(bench);
    expect(closed).toMatchObject({ result: 'incomplete', provisional: true });
    expect(closed.unanswered[0]?.sentence).toMatch(
      /^La factura 001-001-000000001 del pedido #1201 sigue sin confirmar/,
    );
  });

  it('a document dated after midnight leaves the day of its sale open as well as its own', async () => {
    const orders = wooOrders(new Date('2026-11-21T04:50:00Z')).slice(0, 1);
    await open({ orders, now: '2026-11-21T05:10:00Z', keys: ['mala'] });
    await settle(bench, '1201');
    expect(await bench.document()).toMatchObject({ state: 'ready', issueDate: '2026-11-21' });
    bench.setTime('2026-11-21T07:05:00Z');
    expect((await close(bench)).close).toMatchObject({ result: 'incomplete', provisional: true });
    bench.setTime('2026-11-22T07:05:00Z');
    expect([...(await result()), ...(await result('2026-11-21'))]).toEqual(['incomplete', 'incomplete']);
  });

  it('an order in the queue is under way, and missing only where it is not', async () => {
    await open();
    bench.setTime('2026-11-20T16:00:00Z');
    const subject = orderSubject({ platform: 'woocommerce', shop: bench.store.shop, orderId: '1201' });
    await bench.sync('1201');
    const { close: closed } = await close(bench);
    expect(closed).toMatchObject({
      result: 'incomplete',
      sales: { underWay: { count: 1 }, missing: { count: 1 } },
      differences: [{ code: 'sale-without-document', order: '#1202' }],
    });
    expect(closed.unanswered).toMatchObject([{ source: 'order', name: 'tienda' }]);
    await bench.ledger.jobs.forget('sync-order', subject);
    expect(await result()).toEqual(['red', 'sale-without-document', 'sale-without-document']);
  });

  it('an authorised document that is not what was sent is a difference while its alert is open', async () => {
    await settled();
    const { id } = await bench.documentOf('1201');
    const alert = {
      code: 'document-differs',
      subject: id,
      params: {
        why: 'fields',
        order: '#1201',
        number: '001-001-000000001',
        fields: 'comprador',
        accessKey: '',
      },
    } as const;
    await bench.ledger.alerts.raise(alert, bench.clock.now());
    expect(await result()).toEqual(['red', 'document-differs']);
    await bench.ledger.alerts.end({ code: alert.code, subject: id }, bench.clock.now());
    expect(await result()).toEqual(['green']);
  });
});

describe('a series whose first number was raised', () => {
  it('has no gap up to it, and one where a document was removed', async () => {
    await settled();
    byHand(
      bench,
      `update series set next = 502`,
      `update documents set secuencial = '000000501' where secuencial = '000000002'`,
    );
    byHand(bench, `update attempts set secuencial = '000000501' where secuencial = '000000002'`);
    const gaps = async (firstNumber: number) => {
      const series = { ...bench.store.series, first: firstNumber };
      const { close: closed } = await closeDay(bench.deps, {
        day,
        stores: [{ ...bench.store, series }],
        scope: '*',
      });
      return closed.differences.filter(({ code }) => code === 'number-gap').map(({ sentence }) => sentence);
    };
    expect((await gaps(1))[0]).toContain('faltan los números 001-001-000000002 a 001-001-000000500: ningún');
    expect(await gaps(501)).toEqual([]);
    expect((await gaps(499))[0]).toContain('faltan los números 001-001-000000499 a 001-001-000000500');
  });
});

describe('a payment or refund of which the ledger has nothing', () => {
  const changedNow = () => bench.shop.change('1202', { customer_note: 'Llamar antes.' });
  const invoiced = async (options: Parameters<typeof openJobBench>[0] = {}) => {
    await open(options);
    await settle(bench, '1201');
    bench.advance(hour);
  };

  it('is missing also while its order changes', async () => {
    await invoiced();
    changedNow();
    expect(await result()).toEqual(['red', 'sale-without-document']);
  });

  it('is missing also where the clock of its shop is two days ahead', async () => {
    await invoiced({ shopAheadMs: 48 * hour });
    changedNow();
    expect(await result()).toEqual(['red', 'sale-without-document']);
  });

  it.each([
    ['16 minutes ago', '2026-11-20T15:44:00', ['red', 'sale-without-document']],
    ['14 minutes ago', '2026-11-20T15:46:00', ['green']],
    ['4 minutes ahead', '2026-11-20T16:04:00', ['green']],
    ['6 minutes ahead', '2026-11-20T16:06:00', ['red', 'sale-without-document']],
  ])('has a quarter of an hour by its own time: paid %s', async (_when, paid, expected) => {
    await invoiced();
    bench.setTime('2026-11-20T16:00:00Z');
    bench.shop.change('1202', { date_paid_gmt: paid });
    expect(await result()).toEqual(expected);
  });

  it('is missing as a refund also while its order changes', async () => {
    await settled();
    bench.shop.refund('1202', { amount: '1.00' });
    expect(await result()).toEqual(['green']);
    bench.advance(16 * 60_000);
    changedNow();
    expect(await result()).toEqual(['red', 'sale-without-document']);
  });
});

describe('an order that the ledger knows, and that its shop does not show', () => {
  const [before] = wooOrders(new Date('2026-11-21T04:58:50Z')) as [Record<string, unknown>];
  /** The last payment of the 20th comes to the ledger on the 21st, both in Ecuador. */
  const came = async (body: unknown) => {
    await open({ orders: [second], now: '2026-11-21T05:00:05Z' });
    await bench.ledger.accept({
      ...{ connection: 'tienda', dedupeKey: 'aviso', topic: 'order.updated' },
      ...{ platform: 'woocommerce', shop: bench.store.shop, orderId: '1201', job: null },
      body: new TextEncoder().encode(JSON.stringify(body)),
      receivedAt: bench.clock.now(),
    });
    await bench.sync('1201');
    await bench.run();
    await bench.sync('1202');
    await bench.run();
    await bench.decided();
    bench.setTime('2026-11-21T05:30:00Z');
    await bench.run();
    bench.setTime('2026-11-23T15:00:00Z');
  };
  const results = async () =>
    Promise.all(
      ['19', '20', '21', '22'].map(async (date) => (await close(bench, `2026-11-${date}`)).close.result),
    );

  it('is of the day of its payment where its webhook states it', async () => {
    await came(before);
    expect(await results()).toEqual(['green', 'incomplete', 'green', 'green']);
  });

  it.each([
    ['names it only', { id: 1201 }],
    ['states no payment', { ...before, status: 'on-hold', date_paid: null, date_paid_gmt: null }],
    ['states a refund without its time', { ...before, refunds: [{ id: 9, reason: '', total: '-1.00' }] }],
  ])('is of the day on which its webhook came and of the day before where that %s', async (_what, body) => {
    await came(body);
    expect(await results()).toEqual(['green', 'incomplete', 'incomplete', 'green']);
  });
});
