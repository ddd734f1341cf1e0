import { describe, expect, test } from 'vitest';
import { receive } from '../../../adapters/woocommerce/receive.ts';
import type { RawDelivery } from '../../../src/domain/platform.ts';
import { hasShared } from '../../support/shared.ts';
import { recordedConnection, recordedWebhook, recordedWebhooks } from './recordings.ts';
import { signed } from './signed.ts';

/** The order a delivery hints at, else what became of the delivery. */
async function heard(delivery: RawDelivery): Promise<string> {
  const receipt = await receive(delivery, recordedConnection);
  return receipt.kind === 'hint' ? receipt.orderId : receipt.kind;
}
const action = (name: string, arg: unknown) =>
  signed(`action.woocommerce_${name}`, JSON.stringify({ action: `woocommerce_${name}`, arg }));

describe.skipIf(!hasShared)('recorded refunds', () => {
  test.each([
    ['r01-refund-1of3', 'partially', '48'],
    ['r01-refund-second-1of3', 'partially', '48'],
    ['r02-refund-all-lines', 'fully', '51'],
    ['r03-refund-amount-5', 'partially', '53'],
    ['r03-refund-amount-rest', 'fully', '53'],
    ['r04-refund-shipping', 'partially', '56'],
    ['r07-put-status-refunded', 'fully', '64'],
    ['r09-refund', 'partially', '68'],
    ['r11-refund', 'partially', '72'],
  ])('%s hints at its order three times, and its own id is ignored', async (scenario, how, orderId) => {
    const deliveries = recordedWebhooks().filter((recorded) => recorded.scenario === scenario);
    const all = await Promise.all(
      deliveries.map(async ({ topic, delivery }) => `${topic} ${await heard(delivery)}`),
    );
    expect(all.sort()).toEqual([
      `action.woocommerce_order_${how}_refunded ${orderId}`,
      `action.woocommerce_order_refunded ${orderId}`,
      'action.woocommerce_refund_created ignored',
      `order.updated ${orderId}`,
    ]);
  });

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
