import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { receive } from '../../../adapters/woocommerce/receive.ts';
import { connectionSchema } from '../../../adapters/woocommerce/settings.ts';
import { hasShared } from '../../support/shared.ts';
import { recordedConnection, recordedWebhook, recordedWebhooks } from './recordings.ts';
import { signed } from './signed.ts';

describe.skipIf(!hasShared)('recorded deliveries', () => {
  test('every recording signed with the shop secret is accepted', async () => {
    const receipts = await Promise.all(
      recordedWebhooks()
        .filter(({ signatureValid }) => signatureValid === true)
        .map(({ delivery }) => receive(delivery, recordedConnection)),
    );
    expect(receipts).toHaveLength(168);
    expect(receipts.filter(({ kind }) => kind !== 'hint' && kind !== 'ignored')).toEqual([]);
  });

  test('one flipped bit of the body is refused, whichever recording', async () => {
    for (const { delivery } of recordedWebhooks().filter(({ signatureValid }) => signatureValid === true)) {
      const body = Uint8Array.from(delivery.body);
      body[body.length >> 1] = (body[body.length >> 1] ?? 0) ^ 1;
      expect(await receive({ ...delivery, body }, recordedConnection)).toMatchObject({
        kind: 'refused',
        status: 401,
      });
    }
  });

  test('a secret that holds &amp; verifies as the merchant typed it and as the shop signs it', async () => {
    const { delivery } = recordedWebhook('0273');
    for (const typed of ['a&b<c>"d\'e ñ &amp; 100%', 'a&b<c>"d\'e ñ & 100%']) {
      const connection = { ...recordedConnection, webhookSecrets: ['another', typed] };
      expect(await receive(delivery, connection)).toMatchObject({ kind: 'hint', orderId: '97' });
    }
    expect(await receive(delivery, recordedConnection)).toMatchObject({ kind: 'refused' });
  });

  test('unsigned pings are pings', async () => {
    const pings = recordedWebhooks().filter(({ topic }) => topic === 'ping');
    expect(pings).toHaveLength(13);
    for (const { delivery } of pings) {
      expect(await receive(delivery, recordedConnection)).toEqual({ kind: 'ping' });
    }
  });

  test('a hint names the order and belongs to the configured shop, whatever source the header states', async () => {
    const { delivery } = recordedWebhook('0023');
    const connection = { ...recordedConnection, url: 'https://tienda.example.ec' };
    expect(await receive(delivery, connection)).toMatchObject({
      kind: 'hint',
      topic: 'order.created',
      shop: 'https://tienda.example.ec',
      orderId: '31',
    });
  });

  test('orders that share a delivery id keep their own dedupe keys', async () => {
    const burst = recordedWebhooks().filter(({ scenario }) => scenario.startsWith('x-burst'));
    const ids = new Set(burst.map(({ delivery }) => delivery.headers['x-wc-webhook-delivery-id']));
    const receipts = await Promise.all(burst.map(({ delivery }) => receive(delivery, recordedConnection)));
    const keys = new Set(receipts.map((receipt) => (receipt.kind === 'hint' ? receipt.dedupeKey : 'none')));
    expect(ids.size).toBeLessThan(burst.length);
    expect(keys.size).toBe(24);
  });

  test.each([
    ['0208', 'the order was deleted before delivery', 'woocommerce_rest_shop_order_invalid_id'],
    ['0275', 'the webhook owner has no rights', 'woocommerce_rest_cannot_view'],
    ['0096', 'a refund action carries a refund id', 'woocommerce_refund_created'],
  ])('recording %s is ignored: %s', async (number, _what, word) => {
    const receipt = await receive(recordedWebhook(number).delivery, recordedConnection);
    expect(receipt).toMatchObject({ kind: 'ignored', reason: expect.stringContaining(word) });
  });

  test.each([
    ['0016', '29', 'payment_complete'],
    ['0094', '48', 'order_partially_refunded'],
    ['0190', '74', 'an order moved to the trash'],
  ])('recording %s is a hint for order %s: %s', async (number, orderId) => {
    expect(await receive(recordedWebhook(number).delivery, recordedConnection)).toMatchObject({
      kind: 'hint',
      orderId,
    });
  });
});

test('a delivery without signature is refused unless it is a ping', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const read = (headers: Record<string, string>, text: string) =>
    receive({ headers, body: Buffer.from(text) }, recordedConnection);
  expect(await read(form, 'webhook_id=7')).toEqual({ kind: 'ping' });
  expect(await read(form, 'webhook_id=7&id=9')).toMatchObject({ kind: 'refused', status: 401 });
  expect(await read({}, 'webhook_id=7')).toMatchObject({ kind: 'refused' });
  expect(await read({ 'content-type': 'application/json' }, '{"id":1}')).toMatchObject({ kind: 'refused' });
});

test('during a rotation the old and the new secret both open the endpoint', async () => {
  const connection = connectionSchema.parse({
    url: 'https://tienda.example.ec',
    webhookSecrets: ['new', 'old'],
  });
  for (const key of ['new', 'old']) {
    expect(await receive(signed('order.updated', '{"id":5}', key), connection)).toMatchObject({
      orderId: '5',
    });
  }
  expect(await receive(signed('order.updated', '{"id":5}', 'older'), connection)).toMatchObject({
    kind: 'refused',
  });
});

test('an id beyond 2^53 keeps every digit', async () => {
  const delivery = signed('order.updated', '{"id":9007199254740993,"status":"processing"}');
  expect(await receive(delivery, recordedConnection)).toMatchObject({ orderId: '9007199254740993' });
});

test('a draft of the checkout is ignored', async () => {
  const delivery = signed('order.updated', '{"id":5,"status":"checkout-draft"}');
  expect(await receive(delivery, recordedConnection)).toMatchObject({ kind: 'ignored' });
});

test('what is not about an order is ignored, though it has an id', async () => {
  for (const [topic, text] of [
    ['product.updated', '{"id":11,"name":"Camiseta"}'],
    ['action.woocommerce_order_note_added', '{"action":"woocommerce_order_note_added","arg":64}'],
    ['order.updated', '<html>'],
    ['order.updated', '[]'],
    ['order.updated', '{"id":-1}'],
  ] as const) {
    expect(await receive(signed(topic, text), recordedConnection)).toMatchObject({ kind: 'ignored', topic });
  }
});

test('no store at the address refuses everything signed', async () => {
  expect(await receive(signed('order.updated', '{"id":5}'), null)).toMatchObject({ kind: 'refused' });
});

test('no delivery makes the endpoint throw, signed or not', async () => {
  const topic = fc.constantFrom('order.updated', 'action.woocommerce_order_refunded', 'order.', '', 'x');
  const text = fc.oneof(fc.json(), fc.string(), fc.constantFrom('{"id":null}', '{"id":1e400}', '{"id":"a"}'));
  await fc.assert(
    fc.asyncProperty(topic, text, fc.string(), fc.boolean(), async (about, body, noise, genuine) => {
      const delivery = signed(about, body);
      const headers = { ...delivery.headers, 'x-wc-webhook-signature': noise };
      const receipt = await receive(genuine ? delivery : { ...delivery, headers }, recordedConnection);
      expect(receipt.kind === 'refused').toBe(!genuine);
    }),
    { numRuns: 500 },
  );
});
