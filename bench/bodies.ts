import { createHmac } from 'node:crypto';
import { wooOrders } from '../sandbox/shops/woocommerce-orders.ts';

export const secret = 'secreto-del-banco-de-pruebas-0123456789';

/** An order of about 6.8 KB, the size of a real paid order with a few lines. */
function template(): string {
  const [, order] = wooOrders(new Date());
  const lines = (order as { line_items: object[] }).line_items;
  const padded = { ...order, line_items: [...lines, ...lines], customer_note: 'x'.repeat(600) };
  return JSON.stringify(padded).replaceAll('/', '\\/').replace('"id":1202', '"id":__ID__');
}

const [before = '', after = ''] = template().split('__ID__');

const [beforePaid = '', afterPaid = ''] = JSON.stringify(wooOrders(new Date())[1])
  .replaceAll('/', '\\/')
  .replace('"id":1202', '"id":__ID__')
  .split('__ID__');

/** The same without its padding: an order that adds up, and is invoiced. */
export function paidOrder(id: number): { headers: Record<string, string>; body: string } {
  return signed(`${beforePaid}${id}${afterPaid}`);
}

/** A signed webhook about an order of its own. */
export function signedWebhook(id: number): { headers: Record<string, string>; body: string } {
  return signed(`${before}${id}${after}`);
}

function signed(body: string): { headers: Record<string, string>; body: string } {
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-wc-webhook-topic': 'order.updated',
      'x-wc-webhook-signature': createHmac('sha256', secret).update(body).digest('base64'),
    },
  };
}
