import { describe, expect, it, onTestFinished } from 'vitest';
import { readTestClock as readClock } from '../../sandbox/emulator/index.ts';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { whole } from '../support/chance.ts';
import { eventually } from '../support/eventually.ts';
import { fastClock } from '../support/fast-clock.ts';
import {
  type Engine,
  engines,
  openProductProcesses,
  type ProductProcesses,
  written,
} from '../support/product.ts';

/** Each moment on one engine; test/crash has every moment on both, and `npm run test:long` these. */
const on = (one: Engine): Engine[] => engines.filter((engine) => whole || engine === one);

/** A slow machine may take its time; what must come, comes. */
const patience = 45_000;

/** Time runs sixty times faster, so that the two minutes a webhook gets are two seconds. */
const testClock = () => fastClock(60);

describe('kill -9', { timeout: 90_000 }, () => {
  const open = async (engine: Engine) => {
    const clock = testClock();
    const product = await openProductProcesses({
      engine,
      // A restart reads what the shop has.
      orders: wooOrders(new Date()).slice(0, 1),
      config: { testClock: clock },
      sandbox: { now: readClock(clock) },
    });
    onTestFinished(() => product.close());
    await product.start();
    return product;
  };

  it.each(on('sqlite'))(
    'on %s after the webhook’s 200 and before emission: exactly one factura after the restart',
    async (engine) => {
      const product = await open(engine);
      product.shop.trouble('hang');
      expect(await product.deliver('1201')).toEqual([200]);
      await eventually(() => product.shop.requests.length > 0, 'the order being read');
      await product.kill();
      expect(product.sandbox.documents()).toHaveLength(0);
      await product.start();
      await eventually(() => written(product, '1201').pdf, 'the factura on the order', patience);
      expect(product.sandbox.documents()).toHaveLength(1);
    },
  );

  /** An emission that the service stored and whose answer it keeps back; the process is killed, and started again. */
  const dieUnanswered = async (product: ProductProcesses) => {
    product.sandbox.faults.add({ delayAnswerMs: 60_000 });
    await product.deliver('1201');
    await eventually(() => product.sandbox.documents().length === 1, 'the service to store it');
    await product.kill();
    await product.start();
    await eventually(() => written(product, '1201').pdf, 'the factura on the order', patience);
    expect(product.sandbox.documents()).toHaveLength(1);
  };

  it.each(on('servers'))(
    'on %s after the service stored the factura and before its answer was stored: the webhook settles it',
    async (engine) => dieUnanswered(await open(engine)),
  );

  it.each(on('sqlite'))(
    'on %s the same with every webhook lost: the number is repeated, answered 409 and adopted',
    async (engine) => {
      const product = await open(engine);
      product.sandbox.faults.add({ dropWebhooks: { times: 1_000 } });
      await dieUnanswered(product);
      const posts = product.sandbox.requests().filter((request) => request.path === '/api/factura/emision');
      expect(posts.map((request) => request.status)).toContain(409);
    },
  );
});
