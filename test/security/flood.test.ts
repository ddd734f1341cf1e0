import { once } from 'node:events';
import { type AddressInfo, createConnection, type Socket } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import { formReader, openBodyMemory } from '../../src/http/endpoints.ts';
import { openInstallation } from '../http/installation.ts';
import { openPanel } from '../panel/installation.ts';
import { eventually } from '../support/eventually.ts';
import { openProductProcesses } from '../support/product.ts';

const megabyte = 1024 * 1024;
const formType = 'application/x-www-form-urlencoded';

/** A request that holds back the last byte of its body; `said` is what came back so far. */
function begin(
  port: number,
  path: string,
  length: number,
  sent = length - 1,
  chunked = false,
  type = 'application/json',
) {
  const socket: Socket = createConnection({ port, host: '127.0.0.1' });
  const how = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  const head = [
    'Host: a',
    'Sec-Fetch-Site: same-origin',
    'X-WC-Webhook-Signature: AAAA',
    `Content-Type: ${type}`,
    how,
  ];
  const one = { socket, said: '', finish: () => void socket.write(chunked ? '0\r\n\r\n' : 'x') };
  socket.setEncoding('latin1').on('data', (text) => {
    one.said += text;
  });
  socket.on('error', () => {});
  socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
  const body = Buffer.alloc(sent, 'x');
  if (chunked) socket.write(`${sent.toString(16)}\r\n`);
  socket.write(body);
  if (chunked) socket.write('\r\n');
  onTestFinished(() => void socket.destroy());
  return one;
}

const status = ({ said }: { said: string }) => Number(/^HTTP\/1\.1 (\d{3})/.exec(said)?.[1] ?? 0);
const answered = (one: { said: string }) => eventually(() => status(one) > 0, 'an answer');

describe('bodies beyond what a process holds at once', () => {
  /** Endpoints that hold so many bytes of bodies. */
  async function openSmall(total = 400_000) {
    const bodies = openBodyMemory(total);
    const installation = await openInstallation({ bodies });
    return { ...installation, port: Number(new URL(installation.url).port), free: bodies.fits };
  }

  test('make room for those that come: the oldest that nobody finished is told 503 and when to come again', async () => {
    const { port } = await openSmall(100_000);
    const first = begin(port, '/webhooks/cuenca', 90_000);
    await eventually(() => first.socket.bytesWritten > 90_000, 'the first to be under way');
    const second = begin(port, '/webhooks/cuenca', 90_000);
    await answered(first);
    expect(first.said).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 5\r\n/i);
    second.finish();
    await answered(second);
    expect(status(second)).toBe(401);
  });

  test('that nobody finishes close no endpoint, however many are open', async () => {
    const { port } = await openSmall();
    const paths = [
      '/webhooks/cuenca',
      '/service/webhook/principal',
      '/woocommerce/keys',
      '/identificacion/nadie',
    ];
    const unfinished = paths.flatMap((path) =>
      Array.from({ length: 6 }, (_, at) =>
        begin(port, path, 90_000, at === 5 ? 8_000 : 89_000, at % 2 === 1),
      ),
    );
    await eventually(() => unfinished.some((one) => status(one) === 503), 'the memory to be full');
    for (let round = 0; round < 10; round += 1)
      for (const path of paths.slice(0, 2)) {
        const genuine = begin(port, path, 4_000);
        genuine.finish();
        await answered(genuine);
        expect([path, status(genuine)]).toEqual([path, 401]);
      }
  });

  test('are told 503 as they grow where they do not', async () => {
    const { port } = await openSmall(100_000);
    begin(port, '/webhooks/cuenca', 0, 60_000, true);
    const second = begin(port, '/webhooks/cuenca', 0, 60_000, true);
    const third = begin(port, '/webhooks/cuenca', 0, 60_000, true);
    await eventually(() => [second, third].some((one) => status(one) === 503), 'one of them to be refused');
  });

  test('make room also where they are forms, which are told 503 and when to come again', async () => {
    const bodies = openBodyMemory(40_000);
    const { url } = await openPanel({ bodies });
    const port = Number(new URL(url).port);
    const unfinished = begin(port, '/panel/entrar', 4_000, 3_000, false, formType);
    await eventually(() => !bodies.fits(37_000), 'the form to be counted');
    const webhook = begin(port, '/webhooks/cuenca', 37_000);
    await answered(unfinished);
    expect(unfinished.said).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 5\r\n/i);
    webhook.finish();
    await answered(webhook);
    expect(status(webhook)).toBe(401);
  });

  test('count what their parts take in memory: chunks of one byte far more than their byte', async () => {
    const { port, free } = await openSmall(400_000);
    const { socket } = begin(port, '/webhooks/cuenca', 0, 1, true);
    socket.write('1\r\nx\r\n'.repeat(300));
    await eventually(() => !free(300_000), 'the parts to be counted');
  });

  test('are cut by nobody while they fit, however many come to their endpoint', async () => {
    const { port, free } = await openSmall();
    const first = begin(port, '/webhooks/cuenca', 90_000);
    await eventually(() => !free(320_000), 'the first to be counted');
    for (let n = 0; n < 3; n += 1) begin(port, '/webhooks/cuenca', 90_000);
    await eventually(() => !free(50_000), 'the others to be counted');
    first.finish();
    await answered(first);
    expect(status(first)).toBe(401);
  });

  test('are held no longer than their request, however it ends', async () => {
    const { port, free } = await openSmall();
    const before = begin(port, '/webhooks/cuenca', 60_000);
    await eventually(() => !free(360_000), 'the body to be counted');
    before.socket.destroy();
    await eventually(() => free(400_000), 'a body whose sender went away to be given back');
    for (const [path, length] of [
      ['/webhooks/cuenca', 50_000],
      ['/woocommerce/keys', 50_000],
      ['/identificacion/nobody', 8_000],
      ['/webhooks/nobody', 50_000],
    ] as const) {
      const one = begin(port, path, length);
      one.finish();
      await answered(one);
      one.socket.destroy();
      await eventually(() => free(400_000), `the body sent to ${path} to be given back`);
    }
    const long = begin(port, '/woocommerce/keys', 0, 70_000, true);
    await answered(long);
    expect(status(long)).toBe(413);
    await eventually(() => free(400_000), 'a body that was too long to be given back');
  });

  test('are not held for a sender who was gone before its form was read', async () => {
    const bodies = openBodyMemory(100_000);
    const read = formReader(8_192, bodies);
    const ended: unknown[] = [];
    const app = express().post('/', async (req, res, next) => {
      const gone = once(res, 'close');
      begun.socket.destroy();
      await gone;
      await read(req, res, next);
    });
    app.use(((error, _req, _res, _next) => void ended.push(error.status)) satisfies ErrorRequestHandler);
    const server = app.listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const begun = begin((server.address() as AddressInfo).port, '/', 8_000, 7_999, false, formType);
    await eventually(() => ended.length > 0, 'the request to end');
    expect([ended, bodies.fits(100_000)]).toEqual([[400], true]);
  });
});

test('memory of 200 connections of 4 MB stays under 400 MB, and shops are served meanwhile and afterwards', async () => {
  const stores = ['uno', 'dos', 'tres'];
  const product = await openProductProcesses({
    engine: 'sqlite',
    moreStores: Object.fromEntries(
      stores.map((id) => [
        id,
        {
          url: `https://${id}.example.ec`,
          webhookSecrets: ['un-secreto-de-la-tienda-0123456789abcdef'],
          consumerKey: 'ck_a',
          consumerSecret: 'cs_a',
        },
      ]),
    ),
  });
  onTestFinished(() => product.close());
  await product.start();
  const residentMb = async () => {
    const text = await (await fetch(`${product.url}/metrics`)).text();
    return Number(/^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)$/m.exec(text)?.[1]) / megabyte;
  };
  let most = await residentMb();
  const look = async () => {
    most = Math.max(most, await residentMb());
  };
  const paths = [...stores, 'tienda'].map((id) => `/webhooks/${id}`);
  const flood = Array.from({ length: 200 }, (_, n) =>
    begin(product.port, paths[n % paths.length] ?? '', 4 * megabyte),
  );
  const sent = flood.map(({ socket }) => once(socket, 'drain'));
  await Promise.all([Promise.all(sent), look(), look()]);
  await look();
  expect(flood.filter((one) => status(one) === 503).length).toBeGreaterThan(150);
  // What needs no store's share goes on.
  expect((await fetch(`${product.url}/readyz`)).status).toBe(200);
  for (const one of flood) one.finish();
  await Promise.all(flood.map(answered));
  await look();
  expect(most).toBeLessThan(400);
  for (const { socket } of flood) socket.destroy();
  await eventually(async () => (await product.deliver('1201'))[0] === 200, 'a genuine webhook to be taken');
}, 60_000);
