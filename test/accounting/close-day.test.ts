import { afterEach, describe, expect, it } from 'vitest';
import type { ClosedDay } from '../../src/accounting/day-close.ts';
import { wooOrders } from '../../src/cli/demo/woocommerce-orders.ts';
import { openSteps, type StepBench } from '../support/steps.ts';
import { byHand, close, codes, settle } from './day.ts';

/** The close of a day on the real ledger, sandbox, client and shop. */
let bench: StepBench;
const hour = 60 * 60_000;
const open = async (options: Parameters<typeof openSteps>[0] = {}) => {
  bench = await openSteps(options);
};
afterEach(() => bench?.close());

const morning = new Date('2026-11-20T15:00:00Z');
const change = (order: unknown, id: string, more: object) => ({
  ...structuredClone(order as object),
  id: Number(id),
  number: id,
  ...more,
});
const all = ['1201', '1202', '1203', '1204', '1205'];
const authorised = (tipo: string) =>
  bench.sandbox.documents().filter((one) => one.tipo === tipo && (one.estado === 4 || one.estado === 9));
const sumOf = (tipo: string) =>
  authorised(tipo)
    .reduce((sum, { figures }) => sum + Number(figures?.importeTotal), 0)
    .toFixed(2);
const issuedOf = ({ close: { issued } }: ClosedDay, kind: string) => {
  const found = issued.find((one) => one.kind === kind);
  if (!found) throw new Error(`The close says nothing of ${kind}.`);
  return found;
};

describe('a day in order', () => {
  it('is green, and shop, ledger and service agree to the document and the cent', async () => {
    await open();
    await settle(bench, ...all);
    bench.shop.refund('1201', { amount: '10.00' });
    await settle(bench, '1201');
    bench.advance(hour);
    const closed = await close(bench);
    expect(closed.close).toMatchObject({
      result: 'green',
      differences: [],
      unanswered: [],
      provisional: false,
    });
    const facturas = issuedOf(closed, 'factura');
    expect(facturas.ours).toEqual(facturas.service);
    expect(facturas.ours).toMatchObject({ count: authorised('01').length, total: sumOf('01') });
    expect(facturas.shop).toMatchObject({ count: facturas.ours.count, total: facturas.ours.total });
    const credits = issuedOf(closed, 'nota-credito');
    expect(credits.ours).toEqual(credits.service);
    expect(credits.ours).toMatchObject({ count: 1, total: '10.00' });
    const { sold, issued, waiting, unneeded, underWay, missing } = closed.close.sales;
    expect(sold.count).toBe(
      issued.count +
        underWay.count +
        missing.count +
        [...waiting, ...unneeded].reduce((sum, { count }) => sum + count, 0),
    );
  });

  it('counts what waits for a person and what needs no document by its reason, and stays green', async () => {
    const like = wooOrders(morning);
    const unnamed = change(like[4], '1301', { meta_data: [] });
    const free = change(like[0], '1302', {
      total: '0.00',
      total_tax: '0.00',
      line_items: [],
      shipping_lines: [],
      coupon_lines: [],
      tax_lines: [],
    });
    await open({ orders: [...like, unnamed, free] });
    await settle(bench, ...all, '1301', '1302');
    bench.advance(hour);
    const closed = await close(bench);
    expect(closed.close.differences).toEqual([]);
    expect(closed.close.result).toBe('green');
    expect(closed.close.sales).toMatchObject({
      sold: { count: 7 },
      issued: { count: 5 },
      waiting: [{ code: 'buyer-id-missing', count: 1 }],
      unneeded: [{ code: 'free', count: 1, total: '0.00' }],
    });
    expect(closed.explained.map(({ fate, reason }) => [fate, reason.length > 20])).toEqual([
      ['waiting', true],
      ['unneeded', true],
    ]);
  });
});

describe('a day is red', () => {
  it('when a document was removed from the ledger by hand', async () => {
    await open();
    await settle(bench, '1201', '1202');
    bench.advance(hour);
    byHand(bench, `delete from documents where secuencial = '000000001'`);
    const closed = await close(bench);
    expect(closed.close.result).toBe('red');
    expect(codes(closed)).toContain('document-removed');
    expect(codes(closed)).toContain('number-gap');
    expect(codes(closed)).toContain('order-without-document');
  });
});
