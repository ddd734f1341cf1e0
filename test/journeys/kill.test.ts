import { describe, expect, it, onTestFinished } from 'vitest';
import { readTestClock as readClock } from '../../sandbox/emulator/index.ts';
import { eventually } from '../support/eventually.ts';
import { fastClock } from '../support/fast-clock.ts';
import { type Engine, openProductProcesses, written } from '../support/product.ts';
import { hasPostgres, hasRedis } from '../support/servers.ts';

const engines: Engine[] = hasPostgres && hasRedis ? ['sqlite', 'servers'] : ['sqlite'];

/** A slow machine may take its time; what must come, comes. */
const patience = 45_000;

/** Time runs sixty times faster, so that the two minutes a webhook gets are two seconds. */
const testClock = () => fastClock(60);

describe.each(engines)('kill -9 on %s', { timeout: 90_000 }, (engine) => {
  const open = async (sandbox = {}) => {
    const clock = testClock();
    const product = await openProductProcesses({
      engine,
      config: { testClock: clock },
      sandbox: { now: readClock(clock), ...sandbox },
    });
    onTestFinished(() => product.close());
    await product.start();
    return product;
  };

  it('after the webhook’s 200 and before emission: exactly one factura after the restart', async () => {
    const product = await open();
    product.shop.trouble('hang');
    expect(await product.deliver('1201')).toEqual([200]);
    await eventually(() => product.shop.requests.length > 0, 'the order being read');
    await product.kill();
    expect(product.sandbox.documents()).toHaveLength(0);
    await product.start();
    await eventually(() => written(product, '1201').pdf, 'the factura on the order', patience);
    expect(product.sandbox.documents()).toHaveLength(1);
  });

  it('after the service stored the factura and before its answer was stored: the webhook settles it', async () => {
    const product = await open();
    product.sandbox.faults.add({ delayAnswerMs: 60_000 });
    await product.deliver('1201');
    await eventually(() => product.sandbox.documents().length === 1, 'the service to store it');
    await product.kill();
    await product.start();
    await eventually(() => written(product, '1201').pdf, 'the factura on the order', patience);
    expect(product.sandbox.documents()).toHaveLength(1);
  });

  it('the same with every webhook lost: the number is repeated, answered 409 and adopted', async () => {
    const product = await open();
    product.sandbox.faults.add({ delayAnswerMs: 60_000 });
    product.sandbox.faults.add({ dropWebhooks: { times: 1_000 } });
    await product.deliver('1201');
    await eventually(() => product.sandbox.documents().length === 1, 'the service to store it');
    await product.kill();
    await product.start();
    await eventually(() => written(product, '1201').pdf, 'the factura on the order', patience);
    expect(product.sandbox.documents()).toHaveLength(1);
    const posts = product.sandbox.requests().filter((request) => request.path === '/api/factura/emision');
    expect(posts.map((request) => request.status)).toContain(409);
  });
});
