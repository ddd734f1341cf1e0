import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wooOrders } from '../../../sandbox/shops/woocommerce-orders.ts';
import { openNightlyClose } from '../../../src/app/working.ts';
import { type Closing, openClosing } from '../../../src/reports/close/close.ts';
import { openSigner } from '../../../src/reports/close/keep-close.ts';
import { type JobBench, openJobBench } from '../../support/job-bench.ts';
import { byHand, day, settle } from '../day.ts';

/** Each night the day before is closed once, kept, and told of when it does not add up. */
let bench: JobBench;
let look: () => Promise<void>;
beforeEach(async () => {
  bench = await openJobBench({ orders: wooOrders(new Date('2026-11-20T15:00:00Z')).slice(0, 2) });
  look = nightlyOf(closingWith());
  await settle(bench, '1201', '1202');
});
afterEach(() => bench?.close());

const signer = openSigner(new Uint8Array(32).fill(3));
const closingWith = (deps = bench.deps): Closing =>
  openClosing(deps, { stores: new Map([[bench.store.id, bench.store]]) }, signer);
function nightlyOf(closing: Closing): () => Promise<void> {
  const { deps, store, ledger, clock } = bench;
  const { log, invoiceFrom } = deps;
  return openNightlyClose({ closing, ledger, clock, log, stores: () => [store], invoiceFrom });
}
const kept = () => bench.ledger.closes.recent(10);
const results = async () => (await kept()).map(({ day: of, result }) => `${of} ${result}`);

describe('the nightly close', () => {
  it('waits until two in the morning in Ecuador, and closes the day once', async () => {
    bench.setTime('2026-11-21T06:59:00Z');
    await look();
    expect(await kept()).toEqual([]);
    bench.setTime('2026-11-21T07:01:00Z');
    await look();
    await look();
    expect(await results()).toEqual([`${day} green`]);
    expect(bench.alerts).not.toContain('close-differs');
  });

  it('closes the stores of the moment, whichever there were at the start', async () => {
    const { deps, store } = bench;
    const settings = { stores: new Map<string, typeof store>() };
    const closing = openClosing(deps, settings, signer);
    await expect(closing.close({ day, store: store.id })).rejects.toMatchObject({ code: 'store-unknown' });
    settings.stores = new Map([[store.id, store]]);
    expect((await closing.close({ day, store: store.id })).close.result).toBe('green');
  });

  it('closes the days nobody was there to close as well, each once', async () => {
    bench.setTime('2026-11-21T07:01:00Z');
    await look();
    bench.setTime('2026-11-24T12:00:00Z');
    await look();
    await look();
    expect((await results()).sort()).toEqual(['20', '21', '22', '23'].map((date) => `2026-11-${date} green`));
  });

  it('raises an alert when the day is red, and ends it when a later close is green', async () => {
    byHand(bench, `update documents set total = '33.76' where secuencial = '000000001'`);
    bench.setTime('2026-11-21T07:01:00Z');
    await look();
    expect(await results()).toEqual([`${day} red`]);
    expect(bench.alerts).toContain('close-differs');
    byHand(bench, `update documents set total = '33.75' where secuencial = '000000001'`);
    await closingWith().close({ day, save: true });
    expect(bench.alerts).toContain('close-differs over');
    expect(await results()).toEqual([`${day} green`, `${day} red`]);
  });

  it('asks again while somebody does not answer, and tells of it at eight', async () => {
    bench.setTime('2026-11-21T07:01:00Z');
    bench.shop.trouble({ status: 503, body: 'Mantenimiento' });
    await look();
    expect(await results()).toEqual([`${day} incomplete`]);
    bench.shop.trouble({ status: 503, body: 'Mantenimiento' });
    bench.setTime('2026-11-21T13:01:00Z');
    await look();
    expect(bench.alerts).toContain('close-differs');
    bench.setTime('2026-11-21T13:31:00Z');
    await look();
    expect((await results())[0]).toBe(`${day} green`);
    expect(bench.alerts).toContain('close-differs over');
  });

  it('closes the day of a store whose shop cannot be asked once, and alarms nobody', async () => {
    const once = nightlyOf(closingWith({ ...bench.deps, shop: () => null }));
    bench.setTime('2026-11-21T07:01:00Z');
    await once();
    const [first] = await kept();
    bench.setTime('2026-11-21T13:01:00Z');
    await once();
    expect(await kept()).toEqual([first]);
    expect(first?.result).toBe('partial');
    expect(bench.alerts).not.toContain('close-differs');
  });

  /** When the day is closed, looking every ten minutes as by its timer from 02:00 until the evening of the day after. */
  const timesAsked = async (beforeLook: () => void) => {
    const real = closingWith();
    const asked: string[] = [];
    const closing: typeof real = {
      ...real,
      close: (of) => {
        if (of.day === day) asked.push(bench.clock.now().toISOString().slice(11, 16));
        return real.close(of);
      },
    };
    const often = nightlyOf(closing);
    const from = Date.parse('2026-11-21T07:00:00Z');
    for (let minutes = 0; minutes <= 40 * 60; minutes += 10) {
      beforeLook();
      bench.setTime(new Date(from + minutes * 60_000).toISOString());
      await often();
    }
    return asked;
  };
  // In Ecuador from 02:00 on; at 08:00 somebody is told.
  const growing = ['07:00', '07:10', '07:40', '09:40', '13:00', '19:00', '01:00', '07:00'];

  it('asks again after ten minutes, half an hour, two hours and then every six, for a day at most', async () => {
    expect(await timesAsked(() => bench.shop.trouble({ status: 503, body: 'Mantenimiento' }))).toEqual(
      growing,
    );
    expect(bench.alerts.filter((code) => code === 'close-differs').length).toBeGreaterThan(0);
  });

  it('asks again as often while a refund waits for its factura, and alarms nobody', async () => {
    const [other] = wooOrders(new Date('2026-11-20T15:00:00Z')) as [Record<string, unknown>];
    bench.shop.put({ ...other, id: 1301, number: '1301', order_key: 'wc_order_otro' });
    bench.sandbox.faults.add({ outcome: { codigo: 52, times: 1 } });
    await settle(bench, '1301');
    bench.shop.refund('1301', { amount: '10.00' });
    await settle(bench, '1301');
    expect(await timesAsked(() => undefined)).toEqual(growing);
    const last = await bench.ledger.closes.ofDay(day, '*');
    expect(JSON.parse(last?.content ?? '')).toMatchObject({ result: 'green', provisional: true });
    expect(bench.alerts).not.toContain('close-differs');
  });

  it('reports a day that could not be closed because of a fault of ours, and closes it once that is over', async () => {
    const { deps, ledger } = bench;
    let isBroken = true;
    const issued: typeof ledger.days.issued = (query) =>
      isBroken ? Promise.reject(new TypeError('a fault of ours')) : ledger.days.issued(query);
    const broken = { ...deps, ledger: { ...ledger, days: { ...ledger.days, issued } } };
    const nightly = nightlyOf(closingWith(broken));
    bench.setTime('2026-11-21T07:01:00Z');
    await nightly();
    expect(await results()).toEqual([`${day} incomplete`]);
    bench.setTime('2026-11-21T13:01:00Z');
    await nightly();
    expect(bench.alerts).toContain('close-differs');
    isBroken = false;
    bench.setTime('2026-11-21T13:31:00Z');
    await nightly();
    expect((await results())[0]).toBe(`${day} green`);
    expect(bench.alerts).toContain('close-differs over');
  });

  it('takes a close made while the day still ran for no last word', async () => {
    await closingWith().close({ day, save: true });
    bench.setTime('2026-11-21T07:01:00Z');
    await look();
    await look();
    expect(await results()).toEqual([`${day} green`, `${day} green`]);
  });

  it('takes a provisional close for no last word, nor for the end of an alert', async () => {
    const closing = closingWith();
    const [late] = wooOrders(new Date('2026-11-21T04:59:50Z')) as [Record<string, unknown>];
    bench.shop.put({ ...late, id: 1301, number: '1301', order_key: 'wc_order_otro' });
    byHand(bench, `update documents set total = '33.76' where secuencial = '000000001'`);
    bench.setTime('2026-11-21T05:00:30Z');
    await closing.close({ day, save: true });
    expect(bench.alerts).toContain('close-differs');
    byHand(bench, `update documents set total = '33.75' where secuencial = '000000001'`);
    const { close: closed } = await closing.close({ day, save: true });
    expect(closed).toMatchObject({ result: 'green', provisional: true });
    expect(bench.alerts).not.toContain('close-differs over');
    bench.setTime('2026-11-21T07:01:00Z');
    await look();
    // The webhook of the last order was lost.
    expect(await results()).toEqual([`${day} red`, `${day} green`, `${day} red`]);
    await settle(bench, '1301');
    await closing.close({ day, save: true });
    expect(bench.alerts).toContain('close-differs over');
  });
});
