import { createHmac } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { openInstallation, wooSecret } from './installation.ts';

const token = 'una-clave-para-prometheus';
const order = '{"id":727,"status":"processing"}';
const signed = (key = wooSecret) => ({
  'x-wc-webhook-signature': createHmac('sha256', key).update(order).digest('base64'),
  'x-wc-webhook-topic': 'order.updated',
  'x-wc-webhook-source': 'https://cuenca.example.ec/',
});

const local = { publicUrl: 'http://127.0.0.1:8080' };

test('without a token this machine may read metrics, in the text form of Prometheus', async () => {
  const installation = await openInstallation(local);
  const answer = await installation.get('/metrics');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await answer.text();
  expect(text).toContain('facturapuente_info{version="test",role="web"} 1');
  expect(text).toContain('nodejs_eventloop_lag_seconds');
});

test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])(
  'without a token there is nothing for whom a proxy on this machine speaks (%s)',
  async (header) => {
    const installation = await openInstallation(local);
    const answer = await installation.get('/metrics', { [header]: '203.0.113.7' });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: 'not-found' });
  },
);

const outside = Object.values(networkInterfaces())
  .flat()
  .find((face) => face?.family === 'IPv4' && !face.internal)?.address;
test.skipIf(outside === undefined)('without a token there is nothing for other machines', async () => {
  const installation = await openInstallation({ ...local, host: '0.0.0.0' });
  const answer = await fetch(`http://${outside}:${installation.server.port}/metrics`);
  expect(answer.status).toBe(404);
});

test('without a token there is nothing on a port a proxy brings the world to, though it adds no header', async () => {
  const installation = await openInstallation({ publicUrl: 'https://conector.example' });
  expect((await installation.get('/metrics')).status).toBe(404);
  const trusting = await openInstallation({
    publicUrl: 'https://conector.example',
    trustedProxies: ['127.0.0.1/32'],
  });
  expect((await trusting.get('/metrics')).status).toBe(404);
});

test('with a token everybody must say it, this machine too', async () => {
  const installation = await openInstallation({ metricsToken: token });
  for (const authorization of ['', `Bearer ${token}x`, token, `Basic ${token}`]) {
    const refused = await installation.get('/metrics', authorization === '' ? {} : { authorization });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  }
  const forwarded = { authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.7' };
  expect((await installation.get('/metrics', forwarded)).status).toBe(200);
});

test('webhooks are measured by endpoint and answer, refused and unreadable ones too', async () => {
  const installation = await openInstallation(local);
  await installation.post('/webhooks/cuenca', order, signed());
  await installation.post('/webhooks/cuenca', order, signed());
  await installation.post('/webhooks/cuenca', order, signed('otro-secreto'));
  await installation.post('/webhooks/cuenca', Buffer.alloc(20 * 1024 * 1024), signed());
  await installation.post('/webhooks/nadie', order, signed());
  await installation.post('/service/webhook/principal', '{}');
  const text = await (await installation.get('/metrics')).text();
  const counts = [
    ...text.matchAll(/^facturapuente_webhook_seconds_count\{endpoint="(.*)",answer="(.*)"\} (\d+)$/gm),
  ];
  expect(counts.map(([, endpoint, answer, count]) => `${endpoint} ${answer} ${count}`).sort()).toEqual([
    'service refused 1',
    'unknown not-found 1',
    'woocommerce accepted 1',
    'woocommerce duplicate 1',
    'woocommerce refused 1',
    'woocommerce too-large 1',
  ]);
});

test('nothing of keys, shops or orders stands in the metrics', async () => {
  const installation = await openInstallation(local);
  await installation.post('/webhooks/cuenca', order, signed());
  const text = await (await installation.get('/metrics')).text();
  for (const secret of [wooSecret, 'clave-de-prueba', 'cuenca.example.ec', '727"'])
    expect(text).not.toContain(secret);
});
