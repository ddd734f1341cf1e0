import { afterEach, describe, expect, it } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { eventually } from '../support/eventually.ts';
import { engines, openProduct, type Product } from '../support/product.ts';
import { run } from '../support/run.ts';

let product: Product;
afterEach(() => product?.close());

interface Listed {
  order: string;
  state: string;
  paused: { code: string; reason: string } | null;
}
const documents = (...args: string[]) => run(['documents', '--config', product.file, ...args]);
const listed = async () => JSON.parse((await documents('--json')).stdout) as Listed[];
const alerts = () => product.log().split('"alert":"account-api-key","subject":"cuenta","about"').length - 1;

describe.each(engines)('an account whose key is refused, on %s', (engine) => {
  it('is told of once, stays paused over a restart, says so, and goes on by itself when the key works', async () => {
    product = await openProduct({
      engine,
      // A restart reads what the shop has.
      orders: wooOrders(new Date()).slice(0, 4),
      sandbox: { accounts: [{ apiKey: 'otra-clave' }] },
    });
    await product.start();
    for (const id of ['1201', '1202', '1203']) await product.deliver(id);
    await eventually(
      async () => {
        const all = await documents('--json').then(({ code, stdout }) => (code === 0 ? stdout : '[]'));
        return (JSON.parse(all) as Listed[]).filter(({ paused }) => paused !== null).length === 3;
      },
      'three documents that wait',
      60_000,
    );
    expect((await listed()).map(({ state, paused }) => [state, paused?.code])).toEqual(
      Array(3).fill(['ready', 'account-api-key']),
    );
    const { stdout } = await documents();
    expect(stdout).toContain('La cuenta «cuenta» está en pausa desde');
    expect(stdout).toContain('no acepta la clave de API');

    await product.stop();
    await product.start();
    await product.deliver('1204');
    await eventually(async () => (await listed()).length === 4, 'the fourth document', 60_000);
    expect(new Set((await listed()).map(({ state }) => state))).toEqual(new Set(['ready']));
    expect(alerts()).toBe(1);

    await product.stop();
    product.sandbox.addAccount({ apiKey: 'clave-1' });
    await product.start();
    await eventually(() => product.sandbox.documents().length === 4, 'four emissions', 60_000);
    expect(new Set((await listed()).map(({ paused }) => paused))).toEqual(new Set([null]));
  }, 180_000);
});
