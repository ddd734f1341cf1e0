import { createHmac, timingSafeEqual } from 'node:crypto';
import { Queue } from 'bullmq';
import express from 'express';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { readPayload } from '../adapters/woocommerce/payload.ts';
import { secret } from './bodies.ts';

/**
 * `naive-server.ts <database url> <redis url> <key prefix>`: the naive solution. It verifies, parses and validates
 * as the baseline does, then makes one INSERT and one BullMQ job for every webhook. Prints its port.
 */
const [databaseUrl = '', redisUrl = '', prefix = ''] = process.argv.slice(2);
const pool = new Pool({ connectionString: databaseUrl });
await pool.query(
  `create table received (id bigint generated always as identity primary key, order_id text not null,
    body bytea not null, received_at timestamptz not null, unique (order_id, received_at))`,
);
const queue = new Queue('orders', {
  connection: new Redis(redisUrl, { maxRetriesPerRequest: null }),
  prefix,
});

const app = express();
app.post('/webhooks/tienda', express.raw({ type: () => true, limit: '2mb' }), async (request, response) => {
  const given = Buffer.from(request.get('x-wc-webhook-signature') ?? '', 'base64');
  const expected = createHmac('sha256', secret).update(request.body).digest();
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    response.sendStatus(401);
    return;
  }
  const order = readPayload(JSON.parse(request.body.toString('utf8')));
  const id = String(order.id);
  await pool.query('insert into received (order_id, body, received_at) values ($1, $2, $3)', [
    id,
    request.body,
    new Date(),
  ]);
  await queue.add('sync-order', { id }, { jobId: `order-${id}`, removeOnComplete: true });
  response.json({ status: 'accepted' });
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : address);
});
