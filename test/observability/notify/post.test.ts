import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openOutbound } from '../../../src/app/outbound.ts';
import type { DocumentEvent } from '../../../src/domain/document.ts';
import { type Message, openNotify, openPost } from '../../../src/observability/notify/open.ts';

const newest = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const older = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
const message: Message = {
  id: 'd1.4',
  type: 'factura.authorized',
  timestamp: '2026-11-20T15:00:00Z',
  data: { n: 'ñ' },
};
const post = openPost(openOutbound());
const sent = { now: new Date(), userAgent: 'facturapuente/test' };

/** A receiver that keeps what came and answers as told. */
async function receiver(status = 204, headers: Record<string, string> = {}) {
  const got: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    got.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(status, headers).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/gancho-secreto` };
}

test('a receiver limited to stores hears of their documents alone, and of no alert', async () => {
  const [whole, limited] = [await receiver(), await receiver()];
  const { listeners, channels } = openNotify(
    {
      publicUrl: 'https://conector.example',
      alertsTo: [],
      webhooks: [
        { id: 'todo', url: whole.url, secrets: [newest], types: [] },
        { id: 'quito', url: limited.url, secrets: [newest], types: [], stores: ['quito'] },
      ],
    },
    {
      mailer: null,
      clock: { now: () => new Date() },
      userAgent: 'facturapuente/test',
      outbound: openOutbound(),
    },
  );
  const event = (store: string) => ({ ...message, data: { store } }) as unknown as DocumentEvent;
  for (const listener of listeners.values())
    for (const store of ['quito', 'loja']) await listener.notify(event(store));
  expect(whole.got).toHaveLength(2);
  expect(limited.got.map(({ body }) => JSON.parse(body).data)).toEqual([{ store: 'quito' }]);
  expect([...channels.keys()]).toEqual(['todo']);
});

describe('a message to a webhook', () => {
  test('is verified with either secret by the standard’s own library, and by no other', async () => {
    const { got, url } = await receiver();
    await post({ id: 'erp', url, secrets: [newest, older] }, message, sent);
    const { headers, body } = got[0] ?? { headers: {}, body: '' };
    for (const secret of [newest, older])
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({
        type: message.type,
        timestamp: message.timestamp,
        data: message.data,
      });
    const other = new Webhook(`whsec_${Buffer.alloc(32, 3).toString('base64')}`);
    expect(() => other.verify(body, headers as Record<string, string>)).toThrow();
    expect(() => new Webhook(newest).verify(`${body} `, headers as Record<string, string>)).toThrow();
    expect(headers['webhook-id']).toBe('d1.4');
  });

  test.each([302, 400, 410, 500])('that is answered %i did not arrive', async (status) => {
    const { got, url } = await receiver(status, { location: 'http://127.0.0.1:1/' });
    await expect(post({ id: 'erp', url, secrets: [newest] }, message, sent)).rejects.toMatchObject({
      code: 'webhook-undelivered',
      retryable: true,
    });
    expect(got).toHaveLength(1);
  });

  test('waits as long as the receiver asks', async () => {
    const { url } = await receiver(429, { 'retry-after': '30' });
    const refused = post({ id: 'erp', url, secrets: [newest] }, message, sent);
    await expect(refused).rejects.toMatchObject({ retryAfterMs: 30_000 });
  });

  test('that finds nobody tells neither the secret nor the path of the address', async () => {
    const url = 'http://127.0.0.1:9/gancho-secreto';
    const error = await post({ id: 'erp', url, secrets: [newest] }, message, sent).catch(
      (one: unknown) => one,
    );
    const reported = inspect(error, { depth: 9 });
    expect(reported).toContain('ECONNREFUSED');
    expect(reported).not.toMatch(/gancho-secreto|whsec/);
  });
});
