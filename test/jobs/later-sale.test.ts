import { afterEach, describe, expect, it } from 'vitest';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** What an edit adds to an order after its factura is written onto the order. */
let bench: JobBench;
afterEach(() => bench?.close());

async function settle(): Promise<void> {
  await bench.run();
  await bench.decided();
  bench.advance(5 * 60_000);
  await bench.run();
}

type Woo = Record<string, unknown> & { total: string; line_items: Record<string, unknown>[] };

/** The order with one more line of 10.00 and its tax. */
function grow(): void {
  const sold = structuredClone(bench.shop.order('1201')) as unknown as Woo;
  const [line] = sold.line_items;
  const tax = { id: 1, total: '1.5', subtotal: '1.5' };
  const more = { ...line, id: 99, name: 'Agregado', quantity: 1, price: 10, sku: '' };
  const total = (Number(sold.total) + 11.5).toFixed(2);
  const at = bench.clock.now().toISOString().slice(0, 19);
  bench.shop.put({
    ...sold,
    total,
    total_tax: (Number(sold.total_tax) + 1.5).toFixed(2),
    cart_tax: (Number(sold.cart_tax) + 1.5).toFixed(2),
    date_modified_gmt: at,
    line_items: [
      ...sold.line_items,
      { ...more, subtotal: '10.00', total: '10.00', subtotal_tax: '1.50', total_tax: '1.50', taxes: [tax] },
    ],
  });
}

const reported = () =>
  bench.shop
    .notes('1201')
    .filter(({ customer_note, note }) => !customer_note && note.includes('factura complementaria'));
const state = () =>
  bench.shop.order('1201')?.meta_data.find(({ key }) => key === '_facturapuente_estado')?.value;

describe('an order that grew', () => {
  it('after its factura is written onto the order, once, and its factura stays as it is', async () => {
    bench = await openJobBench();
    await bench.sync('1201');
    await settle();
    expect(reported()).toHaveLength(0);
    bench.advance(60_000);
    grow();
    for (let turn = 0; turn < 3; turn += 1) {
      await bench.sync('1201');
      await settle();
    }
    expect(reported()).toHaveLength(1);
    expect(reported()[0]?.note).toContain('cobró 11.50 más después de la factura 001-001-000000001');
    expect(state()).toBe('AUTORIZADO');
    expect(bench.sandbox.documents()).toHaveLength(1);
  });

  it('while its factura was on its way is looked at again once that is authorised', async () => {
    bench = await openJobBench({ sandbox: { authorizeDelayMs: 200 } });
    await bench.sync('1201');
    await bench.run();
    bench.advance(60_000);
    grow();
    await bench.sync('1201');
    await bench.run();
    expect(reported()).toHaveLength(0);
    await settle();
    expect(reported()).toHaveLength(1);
  });

  it('back to what it was, because a refund its factura had left out was deleted on the way, is looked at again', async () => {
    bench = await openJobBench({ sandbox: { authorizeDelayMs: 200 } });
    bench.sandbox.faults.add({ tooManyRequests: { operacion: 'emitir_factura', retryAfterSeconds: 60 } });
    await bench.sync('1201');
    await bench.run();
    expect((await bench.document()).state).toBe('ready');
    const refund = bench.shop.refund('1201', { amount: '10.00' }) as unknown as { id: number };
    await bench.sync('1201');
    await bench.run();
    bench.advance(120_000);
    await bench.run();
    expect((await bench.document()).state).toBe('processing');
    bench.shop.deleteRefund('1201', refund.id);
    bench.advance(1_000);
    await bench.sync('1201');
    await bench.run();
    await settle();
    expect(reported()).toHaveLength(1);
    expect(reported()[0]?.note).toContain('10.00');
  });
});
