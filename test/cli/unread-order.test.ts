import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { engines, openProduct } from '../support/product.ts';
import { run } from '../support/run.ts';

it.each(engines)(
  'explain tells of an order that was never read why not, on %s',
  { timeout: 90_000 },
  async (engine) => {
    const product = await openProduct({ engine });
    onTestFinished(() => product.close());
    await product.start();
    for (let n = 0; n < 20; n += 1)
      product.shop.trouble({ status: 200, body: '{"id": 1205, "total":' }, 'GET');
    await product.deliver('1205');
    await eventually(() => product.log().includes('A job failed'), 'the first failure', 30_000);
    const file = product.file;
    const read = await eventually(
      async () => {
        const { stdout } = await run(['explain', '#1205', '--config', file]);
        return stdout.includes('intentos fallidos') && stdout;
      },
      'explain to tell it',
      30_000,
    );
    expect(read).toMatch(/^Pedido 1205, tienda tienda: todavía no se ha podido leer\./);
    expect(read).toMatch(/leer el pedido de la tienda: .+, [1-9]\d* intentos fallidos\. /);
  },
);
