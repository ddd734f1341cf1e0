import { onTestFinished } from 'vitest';
import { openWooCommerceShop } from '../../../sandbox/shops/woocommerce-shop.ts';
import { keys } from '../../adapters/woocommerce/shop.ts';
import { openReceiver } from './receiver.ts';
import { call } from './woocommerce-call.ts';

/** The secret of the recorded shop (recordings/README.md). */
const secret = 'whsec_tienda_quito_2026';
const order = { id: 5, status: 'processing', total: '1.00', meta_data: [], refunds: [] };

/** A shop with one webhook for each topic, and who hears them. */
export async function openHooks(topics: readonly string[], answers: (turn: number) => number = () => 200) {
  let now = new Date('2026-11-20T10:06:26Z');
  const shop = await openWooCommerceShop({ orders: [order], ...keys, clock: { now: () => now } });
  onTestFinished(() => shop.close());
  const receiver = await openReceiver(answers);
  const make = (topic: string, more: object = {}) =>
    call(shop, 'POST', 'webhooks', { name: 'w', topic, delivery_url: receiver.url, secret, ...more });
  for (const topic of topics) await make(topic);
  const received = () => receiver.received.map(({ headers }) => headers['x-wc-webhook-topic'] ?? 'ping');
  const set = (time: string) => {
    now = new Date(time);
  };
  return { shop, receiver, make, received, set };
}
