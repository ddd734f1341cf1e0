import { describe, expect, it, onTestFinished } from 'vitest';
import { readTestClock } from '../../sandbox/emulator/index.ts';
import { eventually } from '../support/eventually.ts';
import { fastClock } from '../support/fast-clock.ts';
import { engines, openProduct, written } from '../support/product.ts';

/** A slow machine may take its time; what must come, comes. */
const patience = 45_000;

describe.each(engines)('no webhook at all, on %s', { timeout: 120_000 }, (engine) => {
  it('every paid order gets its factura and every refund its nota de crédito, also across a restart', async () => {
    // Time runs sixty times faster, so that a reconciliation comes each second; the shop’s own clock does not.
    const clock = fastClock(60);
    const product = await openProduct({
      engine,
      config: { testClock: clock, reconciliation: { everyMinutes: 1 } },
      sandbox: { now: readTestClock(clock) },
    });
    onTestFinished(() => product.close());
    const { shop, sandbox } = product;
    sandbox.faults.add({ dropWebhooks: { times: 1_000 } });
    await product.start();
    for (const id of ['1201', '1202', '1203', '1204', '1205'])
      await eventually(() => written(product, id).pdf, `the factura of order ${id}`, patience);
    await product.stop();
    shop.refund('1201', { amount: '10.00' });
    await product.start();
    await eventually(() => written(product, '1201').notas_credito, 'the nota de crédito', patience);
    const issued = sandbox.documents().map(({ tipo, estado }) => `${tipo} ${estado}`);
    expect(issued.toSorted()).toEqual([...Array(5).fill('01 4'), '04 4']);
    const mailed = () => shop.notes('1201').filter((note) => note.customer_note).length;
    await eventually(() => mailed() === 2, 'the buyer to be told of both');
  });
});
