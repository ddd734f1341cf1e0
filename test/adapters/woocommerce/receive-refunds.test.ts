import { describe, expect, test } from 'vitest';
import { receive } from '../../../adapters/woocommerce/receive.ts';
import type { RawDelivery } from '../../../src/core/platform.ts';
import { hasShared } from '../../support/shared.ts';
import { recordedConnection, recordedWebhooks } from './recordings.ts';
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
