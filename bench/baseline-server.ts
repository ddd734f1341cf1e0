import { createHmac, timingSafeEqual } from 'node:crypto';
import express from 'express';
import { readPayload } from '../adapters/woocommerce/payload.ts';
import { secret } from './bodies.ts';

/**
 * The baseline of the endpoint: a bare Express handler that verifies, parses and validates the same bytes and stores
 * nothing. Prints its port.
 */
const app = express();
app.post('/webhooks/tienda', express.raw({ type: () => true, limit: '2mb' }), (request, response) => {
  const given = Buffer.from(request.get('x-wc-webhook-signature') ?? '', 'base64');
  const expected = createHmac('sha256', secret).update(request.body).digest();
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    response.sendStatus(401);
    return;
  }
  readPayload(JSON.parse(request.body.toString('utf8')));
  response.json({ status: 'accepted' });
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : address);
});
