import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { receive } from '../../../adapters/woocommerce/receive.ts';
import { connectionSchema } from '../../../adapters/woocommerce/settings.ts';
import type { RawDelivery } from '../../../src/domain/platform.ts';
import { hasShared } from '../../support/shared.ts';
import { recordedConnection, recordedWebhook, recordedWebhooks, signed } from './recordings.ts';

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

/** The order a delivery hints at, else what became of the delivery. */
async function heard(delivery: RawDelivery): Promise<string> {
  const receipt = await receive(delivery, recordedConnection);
  return receipt.kind === 'hint' ? receipt.orderId : receipt.kind;
}
const action = (name: string, arg: unknown) =>
  signed(`action.woocommerce_${name}`, JSON.stringify({ action: `woocommerce_${name}`, arg }));

describe.skipIf(!hasShared)('recorded actions', () => {
  test('the second refund of an order is no repeat of the first, though its action says the same bytes', async () => {
    const key = async (number: string) => {
      const receipt = await receive(recordedWebhook(number).delivery, recordedConnection);
      return receipt.kind === 'hint' ? receipt.dedupeKey : receipt.kind;
    };
    const [first, second] = ['0094', '0098'];
    expect(recordedWebhook(second).text).toBe(recordedWebhook(first).text);
    expect(await key(second)).not.toBe(await key(first));
    expect(await key(first)).toBe(await key(first));
  });

  test('every action that carries an order hints at it, and those of refunds are ignored', async () => {
    const actions = recordedWebhooks().filter(({ topic }) => topic.startsWith('action.'));
    expect(actions).toHaveLength(67);
    for (const { file, text, delivery } of actions) {
      const body = JSON.parse(text) as { action: string; arg: number };
      const expected = body.action.startsWith('woocommerce_refund_') ? 'ignored' : String(body.arg);
      expect([file, await heard(delivery)]).toEqual([file, expected]);
    }
  });
});

test.each([
  'new_order',
  'update_order',
  'trash_order',
  'untrash_order',
  'delete_order',
  'cancelled_order',
  'payment_complete',
  'order_status_refunded',
])('the action woocommerce_%s carries an order', async (name) => {
  expect(await heard(action(name, 64))).toBe('64');
});

test.each([
  ['refund_created', 69],
  ['refund_deleted', 69],
  ['new_order_item', 7],
  ['order_note_added', 7],
  ['order_action_send_order_details', {}],
])('the action woocommerce_%s cannot name its order and is ignored', async (name, arg) => {
  expect(await heard(action(name, arg))).toBe('ignored');
});

test('an order that goes into the trash twice is heard of twice', async () => {
  const trashed = (second: string): RawDelivery => {
    const { headers, body } = signed('order.deleted', '{"id":74}');
    return { headers: { ...headers, 'x-wc-webhook-delivery-id': second }, body };
  };
  const keys = await Promise.all(
    ['a1', 'b2', 'a1'].map(async (second) => {
      const receipt = await receive(trashed(second), recordedConnection);
      return receipt.kind === 'hint' ? receipt.dedupeKey : receipt.kind;
    }),
  );
  expect(new Set(keys).size).toBe(2);
  expect(keys[0]).toBe(keys[2]);
});
