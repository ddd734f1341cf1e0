import { newRefund, RefundRefused, type StoredRefund } from './refund.ts';
import { fail, invalid, noRoute, page, type RestAnswer } from './rest.ts';
import type { Store } from './store.ts';

interface RefundCall {
  /** Of the order. */
  id: string;
  /** The order's own address. */
  self: string;
  refundId: string | undefined;
  method: string;
  url: URL;
  json: unknown;
}

/** `orders/{id}/refunds` and one of them. The list of an order that is not there is empty, not missing. */
export function answerRefunds(store: Store, call: RefundCall): RestAnswer {
  const { id, refundId, method } = call;
  const refunds = store.refunds.list(id).map((refund) => linked(refund, call.self));
  if (refundId === undefined) {
    if (method === 'GET') return page(refunds, call.url);
    return method === 'POST' ? create(store, call) : fail(noRoute);
  }
  const refund = refunds.find((one) => String(one.id) === refundId);
  const order = store.order(id);
  if (refund === undefined || order === undefined) {
    const code = 'woocommerce_rest_shop_order_refund_invalid_id';
    return fail({ status: 404, code, message: 'Invalid ID.' });
  }
  if (method === 'DELETE') store.refunds.remove(order, refund.id);
  return method === 'GET' || method === 'DELETE' ? { status: 200, body: refund } : fail(noRoute);
}

function create(store: Store, { id, self, json }: RefundCall): RestAnswer {
  const asked = newRefund.safeParse(json);
  if (!asked.success) return invalid(String(asked.error.issues[0]?.path[0] ?? 'amount'));
  const order = store.order(id);
  if (order === undefined) return refused('woocommerce_rest_invalid_order_id', 'Invalid order ID.', 404);
  try {
    const refund = store.refunds.make(order, asked.data);
    // The route's own pattern instead of the order's id, as recorded.
    const location = self.replace(/(?<!\d)\d+$/, `(?P<order_id>[\\d]+)/refunds/${refund.id}`);
    return { status: 201, headers: { location }, body: linked(refund, self) };
  } catch (error) {
    if (!(error instanceof RefundRefused)) throw error;
    return refused('woocommerce_rest_cannot_create_order_refund', error.message, 500);
  }
}

/** WooCommerce puts a number where WordPress looks for a status, so whatever it meant leaves as HTTP 500. */
function refused(code: string, message: string, data: number): RestAnswer {
  return { status: 500, body: { code, message, data } };
}

export function linked(refund: StoredRefund, order: string) {
  return {
    ...refund,
    _links: {
      self: [{ href: `${order}/refunds/${refund.id}`, targetHints: { allow: ['GET', 'DELETE'] } }],
      collection: [{ href: `${order}/refunds` }],
      up: [{ href: order }],
    },
  };
}
