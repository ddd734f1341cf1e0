import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { readPayload } from '../adapters/woocommerce/payload.ts';
import type { FacturaBody } from '../mappers/body.ts';
import { accessKeyOf } from '../src/service/event.ts';
import { secret } from './bodies.ts';

/** A server of the bench; `close` ends it. */
export interface Opened {
  url: string;
  close(): Promise<void>;
}

/** What the parts measure against, by name. */
export const servers = { stub: openStub, baseline: openBaseline, naive: openNaive, sandbox: openSandbox };
export type Servers = typeof servers;

/**
 * A minimal service: answers every emission with the access key of its document, every other POST like a ping, and every
 * query as still in process. `GET /arrivals` returns the time of each order's first emission, in milliseconds since the
 * epoch, `GET /count` the number of orders.
 */
export async function openStub(): Promise<Opened> {
  const arrivals = new Map<string, number>();
  let count = 0;
  const answers: Record<string, () => unknown> = {
    '/arrivals': () => Object.fromEntries(arrivals),
    '/count': () => arrivals.size,
  };
  return listen(async (request, response) => {
    const { method, url = '' } = request;
    const reply = (body: unknown) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (method === 'GET') return reply(answers[url]?.() ?? { success: true, estado: '2', autorizado: false });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (!url.endsWith('/emision')) return reply({ pong: true });
    const text = Buffer.concat(chunks).toString('utf8');
    const order = /\/factura\/(\d+)\//.exec(text)?.[1];
    if (order !== undefined && !arrivals.has(order)) arrivals.set(order, Date.now());
    count += 1;
    reply({
      creado: true,
      claveacceso: keyOf(JSON.parse(text) as FacturaBody),
      id_comprobante: count,
      estado: 'En procesamiento',
      mensaje: 'Comprobante registrado.',
    });
  });
}

const keyOf = ({ emisor, ambiente }: FacturaBody): string =>
  accessKeyOf(
    {
      issueDate: emisor.fecha_emision.replaceAll('/', '-'),
      codDoc: '01',
      ruc: emisor.ruc,
      ambiente,
      establecimiento: emisor.codigo_establecimiento,
      puntoEmision: emisor.codigo_puntoemision,
      secuencial: emisor.secuencial ?? '',
    },
    '123456781',
  );

/**
 * The baseline of the endpoint: a bare Express handler that verifies, parses and validates the same bytes and stores
 * nothing.
 */
export function openBaseline(): Promise<Opened> {
  return listenExpress((request, response) => {
    if (read(request.get('x-wc-webhook-signature'), request.body)) response.json({ status: 'accepted' });
    else response.sendStatus(401);
  });
}

/** The naive solution: as the baseline, and one INSERT and one BullMQ job for every webhook. */
export async function openNaive(options: {
  databaseUrl: string;
  redisUrl: string;
  prefix: string;
}): Promise<Opened> {
  const [{ Queue }, { Redis }, { Pool }] = await Promise.all([
    import('bullmq'),
    import('ioredis'),
    import('pg'),
  ]);
  const pool = new Pool({ connectionString: options.databaseUrl });
  await pool.query(
    `create table received (id bigint generated always as identity primary key, order_id text not null,
      body bytea not null, received_at timestamptz not null, unique (order_id, received_at))`,
  );
  const redis = new Redis(options.redisUrl, { maxRetriesPerRequest: null });
  const queue = new Queue('orders', { connection: redis, prefix: options.prefix });
  const { url, close } = await listenExpress(async (request, response) => {
    const order = read(request.get('x-wc-webhook-signature'), request.body);
    if (!order) return void response.sendStatus(401);
    const id = String(order.id);
    await pool.query('insert into received (order_id, body, received_at) values ($1, $2, $3)', [
      id,
      request.body,
      new Date(),
    ]);
    await queue.add('sync-order', { id }, { jobId: `order-${id}`, removeOnComplete: true });
    response.json({ status: 'accepted' });
  });
  return {
    url,
    async close() {
      await close();
      await queue.close();
      redis.disconnect();
      await pool.end();
    },
  };
}

/** The emulator of the service, whose memory is measured: what only others need is not loaded. The webhook of every key goes to one address. */
export async function openSandbox(options: {
  keys: readonly string[];
  webhookUrl: string;
  testClock?: string;
}): Promise<Opened> {
  const { createSandbox, readTestClock } = await import('facturapuente-sandbox');
  const { keys, webhookUrl, testClock } = options;
  const webhook = { url: webhookUrl, secret: serviceSecret };
  return createSandbox({
    accounts: keys.map((apiKey) => ({ apiKey, webhook })),
    allowLoopbackWebhooks: true,
    ...(testClock === undefined ? {} : { now: readTestClock(testClock) }),
  });
}

export const serviceSecret = 'secreto-del-banco-de-pruebas-0123456789abcdef';

/** The validated order of a signed body; null without a valid signature. */
function read(signature: string | undefined, body: Buffer): ReturnType<typeof readPayload> | null {
  const given = Buffer.from(signature ?? '', 'base64');
  const expected = createHmac('sha256', secret).update(body).digest();
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return readPayload(JSON.parse(body.toString('utf8')));
}

function listenExpress(handler: RequestHandler): Promise<Opened> {
  const app = express();
  app.post('/webhooks/tienda', express.raw({ type: () => true, limit: '2mb' }), handler);
  return listen(app);
}

export async function listen(handler: RequestListener): Promise<Opened> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
