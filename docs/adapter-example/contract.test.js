import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { checkPlatform, checkShop } from 'facturapuente/adapters/contract';
import { tiendaPropia } from './index.js';
import { openShopServer, soldNow } from './shop-server.js';

const connection = tiendaPropia.demoConnection();
const order = JSON.parse(readFileSync(new URL('order.json', import.meta.url), 'utf8'));

test('keeps the contract of a platform', async () => {
  const body = Buffer.from(JSON.stringify({ evento: 'pedido.pagado', pedido: order.id }));
  const signature = createHmac('sha256', connection.webhookSecrets[0]).update(body).digest('hex');
  const delivery = { headers: { 'x-firma': signature }, body };
  assert.deepEqual(
    await checkPlatform(tiendaPropia, { connection, app: null, paidOrder: order, delivery }),
    [],
  );
});

test('keeps the contract of a shop', async () => {
  const server = await openShopServer({ token: connection.token });
  for (let id = 501; id < 601; id += 1) server.orders.set(id, soldNow(id));
  const here = { ...connection, url: server.url };
  assert.deepEqual(
    await checkShop(tiendaPropia, { connection: here, app: null, orderId: '555', goneId: '999' }),
    [],
  );
  await server.close();
});
