import { z } from 'zod';
import type { WooError } from './oauth.ts';
import type { ShopTimes } from './shop-times.ts';

/** What `POST webhooks` and `PUT webhooks/{id}` take. */
export const newWebhook = z.looseObject({
  name: z.string().optional(),
  topic: z.string().optional(),
  delivery_url: z.string().optional(),
  secret: z.string().optional(),
  status: z.enum(['active', 'paused', 'disabled']).optional(),
});
export type NewWebhook = z.output<typeof newWebhook>;

/** A webhook as the API shows it; never with its secret or its failures. */
export interface ShownWebhook {
  id: number;
  name: string;
  status: 'active' | 'paused' | 'disabled';
  topic: string;
  resource: string;
  event: string;
  hooks: readonly string[];
  delivery_url: string;
  date_created: string;
  date_created_gmt: string;
  date_modified: string | null;
  date_modified_gmt: string | null;
}

/** The hooks of WordPress behind a topic (measured on WooCommerce 11.0.1). */
const orderHooks: Readonly<Record<string, readonly string[]>> = {
  'order.created': ['woocommerce_new_order'],
  'order.updated': ['woocommerce_update_order', 'woocommerce_order_refunded'],
  'order.deleted': ['wp_trash_post', 'woocommerce_trash_order'],
  'order.restored': ['untrashed_post', 'woocommerce_untrash_order'],
};

const invalidTopic: WooError = {
  status: 400,
  code: 'woocommerce_rest_shop_webhook_invalid_topic',
  message: 'Webhook topic is required and must be valid.',
};

/** The webhook a shop makes of a request; an error where there is no such topic, as of refunds. */
export function makeWebhook(
  asked: NewWebhook,
  id: number,
  { local, gmt }: ShopTimes,
): ShownWebhook | WooError {
  const topic = asked.topic ?? '';
  const [, resource = '', event = ''] = /^([^.]*)\.(.*)$/.exec(topic) ?? [];
  const hooks = resource === 'action' ? [event] : orderHooks[topic];
  if (hooks === undefined) return invalidTopic;
  return {
    id,
    name: asked.name ?? `Webhook created on ${nameDate(gmt)}`,
    status: asked.status ?? 'active',
    topic,
    resource,
    event,
    hooks,
    delivery_url: asked.delivery_url ?? '',
    date_created: local,
    date_created_gmt: gmt,
    date_modified: null,
    date_modified_gmt: null,
  };
}

/** As in "Nov 20, 2026 @ 10:06 AM", in UTC whatever the shop's zone. */
function nameDate(gmt: string): string {
  const at = new Date(`${gmt}Z`);
  const part = (options: Intl.DateTimeFormatOptions) =>
    at.toLocaleString('en-US', { timeZone: 'UTC', ...options });
  const day = part({ month: 'short', day: '2-digit', year: 'numeric' });
  return `${day} @ ${part({ hour: '2-digit', minute: '2-digit' }).replace(/\s/, ' ')}`;
}
