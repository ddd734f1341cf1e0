import { afterEach, describe, expect, it } from 'vitest';
import { forgetIn } from '../../src/jobs/forget-buyer.ts';
import { retryDocument } from '../../src/jobs/retry.ts';
import { delivery } from '../ledger/samples.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

let bench: JobBench;
afterEach(() => bench?.close());

const dayMs = 24 * 3_600_000;
const key = () => ({ platform: bench.store.platform.name, shop: bench.store.shop, orderId: '1201' });

/** What it named before, and the rejected factura: its buyer is forgotten, and a person has it sent once more. */
async function retryForgotten(between: () => void = () => {}): Promise<string | undefined> {
  bench.sandbox.faults.add({ failBeforeStoring: 400 });
  await bench.read();
  const rejected = await bench.document();
  const [before] = await bench.ledger.attempts.ofDocument(rejected.id);
  await forgetIn(bench.deps, { ...key(), mark: null });
  between();
  await retryDocument(bench.deps, rejected, 'ana@conector');
  await settle();
  return before?.buyerId;
}

async function settle(): Promise<void> {
  await bench.run();
  await bench.decided();
  bench.advance(180_000);
  await bench.run();
}

const named = async () => (await bench.attempts()).map(({ buyerId }) => buyerId);

it('a rejected factura whose buyer was forgotten names the buyer of the shop’s order, never consumidor final', async () => {
  bench = await openJobBench();
  const buyer = await retryForgotten();
  expect(await bench.document()).toMatchObject({ state: 'authorized', secuencial: '000000001' });
  expect(await named()).toEqual([buyer, buyer]);
});

describe('where the shop names no buyer any more it is held for the buyer, with its number', () => {
  const held = { state: 'held', code: 'buyer-id-missing', secuencial: '000000001' };

  it('in a store without API access, and what he answers is sent', async () => {
    bench = await openJobBench();
    Object.assign(bench.deps, { shop: () => null });
    const body = Buffer.from(JSON.stringify(bench.shop.order('1201')));
    await bench.ledger.accept(delivery('a', { ...key(), body, receivedAt: bench.clock.now() }));
    const buyer = await retryForgotten();
    expect(await bench.document()).toMatchObject(held);
    const answer = { type: 'cedula', id: '0926687856', name: 'Ana Paz', email: null } as const;
    await bench.ledger.questions.answer(key(), answer, bench.clock.now());
    await bench.sync('1201');
    await settle();
    expect(await bench.document()).toMatchObject({ state: 'authorized', secuencial: '000000001' });
    expect(await named()).toEqual([buyer, answer.id]);
  });

  it('in a shop that shows the order no more, which may be too old for it', async () => {
    bench = await openJobBench();
    const buyer = await retryForgotten(() => {
      bench.shop.remove('1201');
      bench.advance(56 * dayMs);
    });
    expect(await bench.document()).toMatchObject(held);
    expect(await named()).toEqual([buyer]);
  });
});
