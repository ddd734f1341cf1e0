import { afterEach, expect, test } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { close } from '../reports/day.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { wrongCedula } from '../support/nobody-named.ts';

/* A second installation with `writeBack: off` reads the orders that another one invoices in production. */

const now = '2026-11-20T15:00:00Z';
const productionKey = '2011202601179001234500120010010000000091234567819';
let bench: JobBench;
afterEach(() => bench?.close());

test('it issues what production has issued, without mail to the buyer, and writes nothing onto the order', async () => {
  const [first = {}] = wooOrders(new Date(now));
  const meta = [{ id: 1, key: '_facturapuente_clave_acceso', value: productionKey }];
  const order = { ...first, meta_data: [...((first.meta_data as unknown[]) ?? []), ...meta] };
  bench = await openJobBench({ orders: [order], now, writeBack: 'off' });
  const before = bench.shop.requests.length;
  await bench.read();
  await bench.run();
  await bench.decided();
  await bench.pass(2);
  expect(await bench.document()).toMatchObject({ state: 'authorized', ambiente: 1 });
  const [sent] = await bench.attempts();
  expect(JSON.parse(sent?.body ?? '{}').comprador).not.toHaveProperty('correo');
  const methods = bench.shop.requests.slice(before).map(({ method }) => method);
  expect([...new Set(methods)]).toEqual(['GET']);
  bench.advance(3_600_000);
  expect((await close(bench)).close).toMatchObject({ result: 'green', differences: [] });
});

test('it asks no buyer', async () => {
  bench = await openJobBench({ orders: [wrongCedula(new Date(now))], now, writeBack: 'off' });
  await bench.read();
  expect(await bench.document()).toMatchObject({ state: 'held', code: 'buyer-id-wrong' });
  expect(await bench.ledger.questions.get(await bench.document())).toBeUndefined();
});
