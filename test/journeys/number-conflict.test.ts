import { readFile, writeFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { factura } from '../sandbox/support.ts';
import { eventually } from '../support/eventually.ts';
import { openProduct, written } from '../support/product.ts';

const todayInEcuador = () =>
  new Date(Date.now() - 5 * 60 * 60 * 1000).toISOString().slice(0, 10).replaceAll('-', '/');

it('a series that met a foreign number stops, and goes on from the free number the merchant configures', async () => {
  // A restart reads what the shop has.
  const orders = wooOrders(new Date()).filter((_order, at) => at === 0 || at === 2);
  const product = await openProduct({ engine: 'sqlite', orders });
  onTestFinished(() => product.close());
  const file = product.file;
  const config = JSON.parse(await readFile(file, 'utf8'));
  // Another program of the merchant already issued 001-001-000000001 with the same RUC.
  const foreign = factura((body) => {
    Object.assign(body.emisor, {
      ruc: config.issuers.ejemplo.ruc,
      codigo_establecimiento: '001',
      codigo_puntoemision: '001',
      secuencial: '000000001',
      fecha_emision: todayInEcuador(),
    });
  });
  const headers = { 'content-type': 'application/json', 'x-api-key': 'clave-1' };
  const answer = await fetch(`${product.sandbox.url}/api/factura/emision`, {
    method: 'POST',
    headers,
    body: JSON.stringify(foreign),
  });
  expect(await answer.json()).toMatchObject({ creado: true });

  await product.start();
  await product.deliver('1201');
  await eventually(
    () => written(product, '1201').estado === 'REVISIÓN MANUAL',
    'the first order given to a person',
  );
  await product.deliver('1203');
  await eventually(() => written(product, '1203').estado === 'RETENIDO', 'the second order held');
  await product.stop();

  config.stores.tienda.series.first = 100;
  await writeFile(file, JSON.stringify(config));
  await product.start();
  await eventually(() => written(product, '1203').pdf, `the factura on the order\n${product.log()}`);
  expect(written(product, '1203').numero).toBe('001-001-000000100');
  expect(product.sandbox.documents()).toHaveLength(2);
});
