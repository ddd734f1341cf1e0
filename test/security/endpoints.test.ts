import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { createConnection } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../src/http/server.ts';
import { openInstallation, wooSecret } from '../http/installation.ts';
import { sendRaw } from './fuzz/raw.ts';

const bytes = (...lines: string[]) => Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);

describe('what a caller says of the address it wants', () => {
  test('never becomes part of ours: an absolute request line, two slashes, another Host', async () => {
    const installation = await openInstallation({
      oauthApp: { clientId: 'publica-id', clientSecrets: ['secreto-de-la-app-publica'] },
    });
    const { port, host } = new URL(installation.url);
    const asked = [
      bytes(
        `GET http://evil.example/shopify/auth?shop=loja.myshopify.com HTTP/1.1`,
        `Host: ${host}`,
        'Connection: close',
      ),
      bytes(
        `GET //evil.example/shopify/auth?shop=loja.myshopify.com HTTP/1.1`,
        `Host: ${host}`,
        'Connection: close',
      ),
      bytes(
        'GET /shopify/auth?shop=loja.myshopify.com HTTP/1.1',
        'Host: evil.example',
        'X-Forwarded-Host: evil.example',
        'Forwarded: host=evil.example',
        'Connection: close',
      ),
    ];
    const answers = await Promise.all(asked.map((one) => sendRaw(Number(port), one, 5_000)));
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1\.1 (302|303|404) /);
      expect(answer).not.toContain('evil.example');
    }
    // Where the shop sends the merchant back to is the configured address.
    expect(decodeURIComponent(answers[2] ?? '')).toContain(
      'redirect_uri=https://conector.example/shopify/auth/callback',
    );
  });

  test('cannot hold two lengths or both a length and chunks', async () => {
    const installation = await openInstallation();
    const { port, host } = new URL(installation.url);
    const post = 'POST /webhooks/cuenca HTTP/1.1';
    const both = bytes(post, `Host: ${host}`, 'Content-Length: 5', 'Transfer-Encoding: chunked');
    const two = bytes(post, `Host: ${host}`, 'Content-Length: 5', 'Content-Length: 6');
    for (const one of [both, two])
      expect(await sendRaw(Number(port), Buffer.concat([one, Buffer.from('0\r\n\r\n')]), 5_000)).toMatch(
        /^HTTP\/1\.1 400 /,
      );
  });
});

describe('a caller who takes his time', () => {
  /** The endpoints' own server, with less patience. */
  async function openSlow() {
    const slow = { headersTimeout: 150, requestTimeout: 300, connectionsCheckingInterval: 25 };
    const server = await openServer((_req, res) => void res.end(), {
      ...{ port: 0, host: '127.0.0.1', setting: '--port', slow },
    });
    onTestFinished(() => server.close());
    return server.port;
  }
  const untilClosed = async (port: number, first: string) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.on('error', () => {});
    socket.write(first);
    let text = '';
    socket.setEncoding('latin1').on('data', (part) => {
      text += part;
    });
    await once(socket, 'close');
    return text;
  };

  test('over his headers or his body is told 408 and cut off', async () => {
    const port = await openSlow();
    expect(await untilClosed(port, 'GET / HTTP/1.1\r\nHost: a\r\nX-')).toMatch(/^HTTP\/1\.1 408 /);
    expect(await untilClosed(port, 'POST / HTTP/1.1\r\n')).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe('a connection whose requests nobody answered yet', () => {
  /** A server that answers with a page, and the requests that reached it. */
  async function openCounted() {
    const reached: string[] = [];
    const server = await openServer(
      (req, res) => {
        reached.push(req.url ?? '');
        res.end('x'.repeat(30_000));
      },
      { port: 0, host: '127.0.0.1', setting: '--port' },
    );
    onTestFinished(() => server.close());
    return { ...server, reached };
  }

  test('is cut at the ninth, and no further request of it reaches the app', async () => {
    const { port, reached } = await openCounted();
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(200));
    socket.resume();
    await once(socket, 'close');
    expect(reached.length).toBeGreaterThan(0);
    expect(reached.length).toBeLessThanOrEqual(8);
  });

  test('serves any number of requests one after the other', async () => {
    const { url, reached } = await openCounted();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const ports = new Set<number | undefined>();
    for (let n = 0; n < 50; n += 1) {
      const asked = get(`${url}/${n}`, { agent });
      const [answer] = await once(asked, 'response');
      ports.add(asked.socket?.localPort);
      await once(answer.resume(), 'end');
    }
    expect([reached.length, ports.size]).toEqual([50, 1]);
  });
});

describe('a body that grows when it is opened', () => {
  test('is never opened at a webhook, and at a form only as far as a form is long', async () => {
    const installation = await openInstallation();
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024, 'a'));
    const packed = { 'content-encoding': 'gzip' };
    expect((await installation.post('/webhooks/cuenca', bomb, packed)).status).toBe(415);
    expect((await installation.post('/service/webhook/principal', bomb, packed)).status).toBe(415);
    const before = process.memoryUsage().arrayBuffers;
    const form = { ...packed, 'content-type': 'application/x-www-form-urlencoded' };
    const link = new URL(installation.links.identification('nobody', new Date('2026-12-01'))).pathname;
    expect((await installation.post(link, bomb, form)).status).toBeGreaterThanOrEqual(400);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5 * 1024 * 1024);
  });
});

test('names of prototypes in JSON and in forms pollute nothing', async () => {
  const installation = await openInstallation();
  const body = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"id":42}';
  const answer = await installation.post('/webhooks/cuenca', body, {
    'x-wc-webhook-signature': createHmac('sha256', wooSecret).update(body).digest('base64'),
    'x-wc-webhook-topic': 'order.updated',
    'x-wc-webhook-source': 'https://cuenca.example.ec/',
  });
  expect(answer.status).toBe(200);
  expect((await installation.post('/paginas/__proto__', '{}')).status).toBe(404);
  expect((await installation.post('/webhooks/__proto__', '{}')).status).toBe(404);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('every answer but a webhook’s says what it is, may not be framed, and is sent no referrer', async () => {
  const installation = await openInstallation();
  for (const path of [
    '/healthz',
    '/readyz',
    '/metrics',
    '/d/x.y',
    '/identificacion/x',
    '/paginas/pagina.css',
    '/no',
  ]) {
    const { headers } = await installation.get(path);
    expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
    expect(headers.get('content-security-policy') ?? '').toMatch(/frame-ancestors '(none|self)'/);
    expect([path, headers.get('referrer-policy')]).toEqual([path, 'no-referrer']);
    expect(headers.get('x-powered-by')).toBeNull();
  }
});
