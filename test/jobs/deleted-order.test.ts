import { afterEach, describe, expect, it } from 'vitest';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

let bench: JobBench;
afterEach(() => bench?.close());

const sync = async () => {
  await bench.sync('1201');
  await bench.run();
};
const states = async () =>
  (await bench.ledger.documents.list({ limit: 9 })).map(({ kind, state }) => `${kind} ${state}`);

/** A sale that waits for a person, and then is deleted for ever in the shop. */
async function openHeld(): Promise<void> {
  bench = await openJobBench({ policy: { finalConsumer: { allowed: false } } });
  const order = bench.shop.order('1201');
  bench.shop.put({ ...order, meta_data: [], billing: { ...(order?.billing as object), company: '' } });
  await sync();
  expect(await states()).toEqual(['factura held']);
}

describe('an order that was deleted in the shop', () => {
  it('drops what has not left for the service, with its reason', async () => {
    await openHeld();
    bench.shop.remove('1201');
    await sync();
    expect(await states()).toEqual(['factura cancelled']);
    const [document] = await bench.ledger.documents.list({ limit: 1 });
    expect(document?.reason).toContain('cancelado');
    await sync();
    expect(await states()).toEqual(['factura cancelled']);
  });

  it('changes nothing when it is so old that an app of Shopify may not see it any more', async () => {
    await openHeld();
    bench.shop.remove('1201');
    bench.advance(56 * 24 * 3_600_000);
    await sync();
    expect(await states()).toEqual(['factura held']);
  });

  it('keeps a factura that was authorised', async () => {
    bench = await openJobBench();
    await sync();
    await bench.decided();
    bench.advance(5 * 60_000);
    await bench.run();
    bench.shop.remove('1201');
    await sync();
    expect(await states()).toEqual(['factura authorized']);
  });
});
