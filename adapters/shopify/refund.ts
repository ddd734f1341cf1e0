import type { z } from 'zod';
import { PayloadError } from '../../src/domain/errors.ts';
import { unreadable } from '../../src/domain/loose.ts';
import type { Refund } from '../../src/domain/refund.ts';
import { exactId } from './ids.ts';
import { RefundOrder, RestRefunds, refundsIn } from './refunds/payload.ts';
import { fromRestRefund } from './refunds/rest.ts';
import { refundedOrder } from './refunds/rest-beside.ts';

/**
 * Reads REST-shaped refunds: one, a list, `{refund: …}` or `{refunds: […]}`, beside the JSON of their order (bare
 * or as `{order: …}`), which alone says whether prices contain the tax and what the shop's currency is.
 * @throws PayloadError when they are no refunds, the order is none, or a refund names another order.
 */
export function readRefunds(payload: unknown, order: unknown): Refund[] {
  const given = refundsIn(payload);
  const refunds = RestRefunds.safeParse(given);
  if (!refunds.success) throw notRefunds(given, refunds.error);
  const sale = unwrap(order);
  const theirs = RefundOrder.safeParse(sale);
  if (!theirs.success) throw withoutOrder(sale, theirs.error);
  for (const { order_id } of refunds.data) if (isOfAnother(order_id, theirs.data)) throw ofAnotherOrder();
  const beside = refundedOrder(theirs.data);
  return refunds.data.map((refund) => fromRestRefund(refund, beside));
}

function notRefunds(given: unknown, error: z.ZodError): PayloadError {
  const { merchant, engineer } = unreadable(given, error);
  return new PayloadError(
    'shopify-not-refunds',
    `Los reembolsos de Shopify no se pueden leer: ${merchant}. Entregue el cuerpo de refunds/create o de orders/<id>/refunds.json tal como llega.`,
    `Not Shopify refunds: ${engineer}. Each needs id, order_id and refund_line_items.`,
  );
}

function withoutOrder(sale: unknown, error: z.ZodError): PayloadError {
  const { merchant, engineer } = unreadable(sale, error);
  return new PayloadError(
    'shopify-refund-without-order',
    `Falta el pedido de estos reembolsos, que dice si los precios incluyen el impuesto, o no se puede leer: ${merchant}. Entregue también el JSON del pedido.`,
    `Beside refunds the Shopify JSON of their order is needed: ${engineer}.`,
  );
}

/** JSON.parse rounds ids above 2^53, and the refund names the order by its number only: equal once rounded is equal. */
function isOfAnother(orderId: string | number, order: RefundOrder): boolean {
  if (order.id === null || order.id === undefined) return false;
  const exact = exactId({ id: order.id, admin_graphql_api_id: order.admin_graphql_api_id });
  return Number(orderId) !== Number(exact) && Number(orderId) !== Number(order.id);
}

function ofAnotherOrder(): PayloadError {
  return new PayloadError(
    'shopify-refund-of-another-order',
    'Estos reembolsos son de otro pedido. Entregue los reembolsos junto al pedido al que pertenecen.',
    'A refund’s order_id is not the id of the order handed in beside it.',
  );
}

function unwrap(order: unknown): unknown {
  return typeof order === 'object' && order !== null && 'order' in order ? order.order : order;
}
