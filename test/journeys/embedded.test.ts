import { once } from 'node:events';
import { createServer } from 'node:http';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../sandbox/shops/loopback.ts';
import { createConnector, type DocumentEvent, loadConfig } from '../../src/index.ts';
import { eventually } from '../support/eventually.ts';
import { openProduct, written } from '../support/product.ts';

const secret = 'secreto-del-webhook-embebido-0123456789abcdef';

/** Someone's own Express app with the connector mounted under a path. */
async function openApp(on: Parameters<typeof createConnector>[0]['on']) {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}/facturas`;
  const product = await openProduct({
    engine: 'sqlite',
    config: (sandboxUrl) => ({
      publicUrl,
      accounts: { cuenta: { baseUrl: sandboxUrl, apiKey: 'clave-1', webhookSecrets: [secret] } },
    }),
    connected: { webhookSecrets: [secret] },
    sandbox: () => ({
      accounts: [{ apiKey: 'clave-1', webhook: { url: `${publicUrl}/service/webhook/cuenta`, secret } }],
    }),
  });
  onTestFinished(() => product.close());
  const config = await loadConfig({
    path: product.file,
    cwd: product.folder,
    env: {},
  });
  const connector = await createConnector({ config, ...(on && { on }) });
  const app = express();
  app.use('/facturas', connector.handler);
  app.use(express.json());
  app.get('/', (_req, res) => void res.send('mi tienda'));
  const server = createServer(app).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await connector.close(5_000);
  };
  onTestFinished(close);
  const deliver = (orderId: string) =>
    product.shop.deliver(`${publicUrl}/webhooks/tienda`, secret, { topic: 'order.updated', orderId });
  return { product, publicUrl, deliver, root: `http://127.0.0.1:${port}` };
}

test('inside someone’s own app a paid order becomes a factura, and a hook hears of it until it does not throw', async () => {
  const heard: DocumentEvent[] = [];
  const { product, publicUrl, deliver, root } = await openApp({
    'factura.authorized'(event) {
      heard.push(event);
      if (heard.length === 1) throw new Error('Not yet.');
    },
  });
  expect(await (await fetch(root)).text()).toBe('mi tienda');
  expect((await fetch(`${publicUrl}/readyz`)).status).toBe(200);
  expect((await deliver('1201')).map(({ status }) => status)).toEqual([200]);
  await eventually(() => written(product, '1201').pdf, 'the factura on its order');
  await eventually(() => heard.length === 2, 'the hook to hear it again');
  expect(heard[0]).toEqual(heard[1]);
  expect(heard[1]?.data).toMatchObject({ orderId: '1201', number: '001-001-000000001', state: 'authorized' });
  const pdf = await fetch(String(heard[1]?.data.pdfUrl));
  expect(pdf.headers.get('content-type')).toBe('application/pdf');
  expect(String(heard[1]?.data.pdfUrl)).toContain(`${publicUrl}/d/`);
});
