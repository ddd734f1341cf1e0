import { createHmac } from 'node:crypto';
import type { RawDelivery } from '../../../src/domain/platform.ts';

/** A delivery as WooCommerce signs it, by default with the secret of the recordings (recordings/README.md). */
export function signed(topic: string, text: string, secret = 'whsec_tienda_quito_2026'): RawDelivery {
  const body = Buffer.from(text);
  const signature = createHmac('sha256', secret).update(body).digest('base64');
  return { headers: { 'x-wc-webhook-topic': topic, 'x-wc-webhook-signature': signature }, body };
}
