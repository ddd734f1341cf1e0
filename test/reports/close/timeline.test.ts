import { afterEach, expect, it } from 'vitest';
import { wooOrders } from '../../../sandbox/shops/woocommerce-orders.ts';
import { closeText } from '../../../src/reports/close/text.ts';
import { type JobBench, openJobBench } from '../../support/job-bench.ts';
import { byHand, close, settle } from '../day.ts';

/** A day as a tax accountant reads it; docs/accounting.md shows these very files. */
let bench: JobBench;
afterEach(() => bench?.close());

it('a day with everything in it', async () => {
  const sold = wooOrders(new Date('2026-11-20T15:00:00Z'));
  const like = (order: unknown, id: number, more: object) => ({
    ...structuredClone(order as object),
    id,
    number: String(id),
    ...more,
  });
  bench = await openJobBench({
    orders: [
      ...sold,
      like(sold[4], 1206, { meta_data: [] }),
      like(sold[0], 1207, {
        total: '0.00',
        total_tax: '0.00',
        line_items: [],
        shipping_lines: [],
        tax_lines: [],
      }),
      like(sold[0], 1208, {}),
    ],
  });
  // Before its factura, after it, and to nobody in particular.
  bench.shop.refund('1208', { amount: '3.75' });
  await settle(bench, '1201', '1202', '1203', '1204', '1205', '1206', '1207', '1208');
  bench.shop.refund('1201', { amount: '10.00' });
  bench.shop.refund('1203', { amount: '5.00' });
  await settle(bench, '1201', '1203');
  bench.setTime('2026-11-21T12:00:00Z');
  const green = await close(bench);
  expect(green.close.differences).toEqual([]);
  await expect(closeText({ ...green, kept: null })).toMatchFileSnapshot('timeline/cuadra.txt');

  byHand(bench, `update documents set total = '33.76' where secuencial = '000000001' and kind = 'factura'`);
  const red = await close(bench);
  expect(red.close.result).toBe('red');
  await expect(closeText({ ...red, kept: null })).toMatchFileSnapshot('timeline/no-cuadra.txt');
});
