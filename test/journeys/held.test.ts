import { readFile, writeFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { eventually } from '../support/eventually.ts';
import { openProduct, written } from '../support/product.ts';

it('an order held for an unmapped tax leaves by itself once the rule stands in the config and the product restarts', async () => {
  // A restart reads what the shop has.
  const product = await openProduct({ engine: 'sqlite', orders: wooOrders(new Date()).slice(1, 2) });
  onTestFinished(() => product.close());
  const file = product.file;
  const config = JSON.parse(await readFile(file, 'utf8'));
  // A shop whose exempt goods stand in a class of its own name.
  const order = product.shop.order('1202') as unknown as { line_items: { tax_class: string }[] };
  for (const item of order.line_items) if (item.tax_class === 'exento') item.tax_class = 'servicios-medicos';
  product.shop.put(order);
  await product.start();
  await product.deliver('1202');
  const reported = () => product.shop.notes('1202').some(({ note }) => note.includes('servicios-medicos'));
  await eventually(reported, 'the reason on the order');
  expect(product.sandbox.documents()).toHaveLength(0);
  await product.stop();

  config.stores.tienda.policy.tax.byClass = { 'servicios-medicos': 7 };
  await writeFile(file, JSON.stringify(config));
  await product.start();
  await eventually(() => written(product, '1202').pdf, `the factura on the order\n${product.log()}`);
  expect(product.sandbox.documents()).toHaveLength(1);
});
