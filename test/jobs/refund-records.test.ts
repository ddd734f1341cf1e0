import { afterEach, expect, it } from 'vitest';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

let bench: JobBench;
afterEach(() => bench?.close());

/** Reads the order, lets what is due leave and the authority decide. */
async function sync(): Promise<void> {
  await bench.sync('1201');
  await bench.run();
  await bench.decided();
  bench.advance(5 * 60_000);
  await bench.run();
}
const documents = async () => (await bench.ledger.documents.list({ limit: 20 })).toReversed();
type Line = { id: number; quantity: number; total: string; total_tax: string };

it('a refund whose lines were restocked in a record of their own is one nota de crédito, which names that record', async () => {
  bench = await openJobBench();
  await sync();
  const [line] = (bench.shop.order('1201')?.line_items ?? []) as Line[];
  if (!line) throw new Error('An order without lines.');
  const { id, quantity } = line;
  const worth = (Number(line.total) + Number(line.total_tax)).toFixed(2);
  bench.shop.refund('1201', { amount: '0.00', line_items: [{ id, quantity }] });
  await sync();
  expect(await documents()).toHaveLength(1);
  bench.shop.refund('1201', { amount: worth });
  await sync();
  const [, credit] = await documents();
  expect([credit?.state, credit?.total]).toEqual(['authorized', worth]);
  const [attempt] = await bench.ledger.attempts.ofDocument(credit?.id ?? '');
  const [restocked] = bench.shop.refunds('1201').filter(({ amount }) => Number(amount) === 0);
  expect(attempt?.nettedRefunds).toEqual([String(restocked?.id)]);
  expect(attempt?.lineReferences).toEqual([{ source: `line:${id}`, units: String(quantity) }]);
  await sync();
  expect(await documents()).toHaveLength(2);
});
