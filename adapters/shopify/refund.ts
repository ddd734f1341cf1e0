import { PayloadError } from '../../src/core/errors.ts';
import type { Refund } from '../../src/core/refund.ts';
import { exactId } from './ids.ts';
import { RefundOrder, RestRefunds } from './refunds/payload.ts';
import { fromRestRefund } from './refunds/rest.ts';
import { refundedOrder } from './refunds/rest-beside.ts';

/**
 * Reads REST-shaped refunds: one, a list, `{refund: …}` or `{refunds: […]}`, beside the JSON of their order (bare
 * or as `{order: …}`), which alone says whether prices contain the tax and what the shop's currency is.
 * @throws PayloadError when they are no refunds, the order is none, or a refund names another order.
 */
export function readRefunds(payload: unknown, order: unknown): Refund[] {
  const refunds = RestRefunds.safeParse(payload).data;
  if (!refunds)
    throw new PayloadError(
      'shopify-not-refunds',
      'Lo que llegó de Shopify no son reembolsos. Entregue el cuerpo de refunds/create o de orders/<id>/refunds.json.',
      'Not Shopify refunds: each needs id, order_id and refund_line_items.',
    );
  const theirs = RefundOrder.safeParse(unwrap(order)).data;
  if (!theirs)
    throw new PayloadError(
      'shopify-refund-without-order',
      'Falta el pedido de estos reembolsos: sin él no se sabe si los precios incluyen el impuesto. Entregue también el JSON del pedido.',
      'Beside refunds the Shopify JSON of their order is needed: currency and taxes_included at least.',
    );
  for (const { order_id } of refunds) if (isOfAnother(order_id, theirs)) throw ofAnotherOrder();
  const beside = refundedOrder(theirs);
  return refunds.map((refund) => fromRestRefund(refund, beside));
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
