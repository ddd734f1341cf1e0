import { afterEach, expect, it } from 'vitest';
import { forgetIn } from '../../src/steps/forget-buyer.ts';
import { retryDocument } from '../../src/steps/retry.ts';
import { openSteps, type StepBench } from '../support/steps.ts';

let bench: StepBench;
afterEach(() => bench?.close());

it('a rejected factura whose buyer was forgotten names the buyer the shop tells of, never consumidor final', async () => {
  bench = await openSteps();
  bench.sandbox.faults.add({ failBeforeStoring: 400 });
  await bench.sync('1201');
  await bench.run();
  const rejected = await bench.document();
  const [before] = await bench.ledger.attempts.ofDocument(rejected.id);
  const { platform, shop } = rejected;
  await forgetIn(bench.deps, { platform, shop, mark: null });
  await retryDocument(bench.deps, rejected, 'ana@conector');
  await bench.run();
  await bench.decided();
  bench.advance(180_000);
  await bench.run();
  expect(await bench.document()).toMatchObject({ state: 'authorized', secuencial: '000000001' });
  const attempts = await bench.ledger.attempts.ofDocument(rejected.id);
  expect(attempts.map(({ buyerId }) => buyerId)).toEqual([before?.buyerId, before?.buyerId]);
});
