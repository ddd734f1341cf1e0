import type { ShopifyShop, WooCommerceShop } from 'facturapuente-sandbox/shops';
import type { Live } from './live.ts';
import { shopifyOrderIds } from './shopify-orders.ts';
import { wooOrderIds } from './woocommerce-sales.ts';

export interface DeliveryCounts {
  accepted: number;
  duplicates: number;
  rejected: number;
}

interface Sender {
  url: string;
  woo: WooCommerceShop;
  shopify: ShopifyShop;
  secrets: { woo: string; shopify: string };
  live: Live;
}

/** Sends every order's webhook as its shop would; the first one three times, and one with a broken signature. */
export async function deliverAll({ url, woo, shopify, secrets, live }: Sender): Promise<DeliveryCounts> {
  const counts: DeliveryCounts = { accepted: 0, duplicates: 0, rejected: 0 };
  const count = (answers: readonly { status: number; body: string }[]) => {
    for (const { status, body } of answers) {
      if (status === 401) counts.rejected += 1;
      else if (status === 200 && JSON.parse(body).status === 'duplicate') counts.duplicates += 1;
      else if (status === 200) counts.accepted += 1;
      else throw new Error(`A webhook was answered with ${status}.`);
    }
  };
  const wooDoor = `${url}/webhooks/tienda-woo`;
  const shopifyDoor = `${url}/webhooks/app-demo`;
  const forged = { topic: 'order.updated', orderId: wooOrderIds[0] ?? '', badSignature: true };
  count(await woo.deliver(wooDoor, secrets.woo, forged));
  live.step('Webhook con firma falsa: rechazado con 401');
  for (const [at, orderId] of wooOrderIds.entries()) {
    count(
      await woo.deliver(wooDoor, secrets.woo, { topic: 'order.updated', orderId, times: at === 0 ? 3 : 1 }),
    );
  }
  for (const orderId of shopifyOrderIds) {
    count(
      await shopify.deliver(shopifyDoor, { clientSecret: secrets.shopify, topic: 'orders/paid', orderId }),
    );
  }
  live.step(
    `${counts.accepted + counts.duplicates} webhooks firmados aceptados, ${counts.duplicates} de ellos repetidos`,
  );
  return counts;
}
