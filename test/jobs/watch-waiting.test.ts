import { afterEach, expect, test } from 'vitest';
import { depositPlugins } from '../../adapters/woocommerce/plugins.ts';
import { watchWaiting } from '../../src/jobs/watch.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { wrongCedula } from '../support/nobody-named.ts';

let bench: JobBench;
afterEach(() => bench?.close());

const hour = 3_600_000;
const week = 7 * 24 * hour;
const now = '2026-11-20T15:00:00Z';
const reported: string[] = [];

async function open(order: unknown) {
  reported.length = 0;
  bench = await openJobBench({
    orders: [order],
    policy: { buyer: { ask: false } },
    now,
    channels: [
      {
        id: 'correo',
        async notify({ begun, still, ended }) {
          for (const [how, alerts] of Object.entries({ begun, still, ended }))
            for (const { code, what } of alerts)
              if (code === 'order-waiting') reported.push(`${how}: ${what}`);
        },
      },
    ],
  });
  await bench.read();
  return {
    /** The watch runs each hour. */
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += hour) {
        bench.advance(hour);
        await watchWaiting(bench.deps);
        await bench.run();
      }
    },
  };
}

test('a held document is reported after a day, then each week, and once it is no longer held', async () => {
  const order = wrongCedula(new Date(now));
  const { pass } = await open(order);
  expect((await bench.document()).state).toBe('held');
  await pass(23 * hour);
  expect(reported).toEqual([]);
  await pass(3 * hour);
  expect(reported).toEqual([
    expect.stringMatching(
      /^begun: Pedido #1201: la factura espera a una persona desde el 20\/11\/2026 a las 10:00:00\. .*identificación/,
    ),
  ]);
  await pass(2 * week);
  expect(reported.slice(1)).toEqual([expect.stringMatching(/^still/), expect.stringMatching(/^still/)]);
  bench.shop.put({ ...(order as object), status: 'cancelled', date_paid: null, date_paid_gmt: null });
  await bench.read();
  await pass(2 * hour);
  expect(reported.at(-1)).toMatch(/^ended/);
});

test('an order that waits for the rest of its money is reported in the same way', async () => {
  const plugin = depositPlugins.find(({ total }) => total === 'order');
  if (!plugin) throw new Error('No plugin of deposits is known.');
  const { mark, status, amountMeta } = plugin;
  const metas = { [mark.meta]: 'yes', [amountMeta]: '10.00' };
  const order = {
    ...(wrongCedula(new Date(now)) as object),
    status,
    meta_data: Object.entries(metas).map(([key, value], id) => ({ id, key, value })),
  };
  const { pass } = await open(order);
  expect(await bench.documents()).toEqual([]);
  await pass(26 * hour);
  expect(reported).toEqual([expect.stringMatching(/^begun: Pedido #1201: no cambia.*anticipo de 10\.00/)]);
  await pass(week);
  expect(reported.slice(1)).toEqual([expect.stringMatching(/^still/)]);
});
