import { ShopError } from '../../../src/domain/errors.ts';
import type { AnswerOrder } from '../answer.ts';
import { mixedUp, orderChanged } from '../changed.ts';
import type { Client } from '../client.ts';
import { type AnswerRefund, RefundAnswer, RefundsAnswer } from './answer.ts';
import { mostRefunds, refundQuery, refundsQuery, refundsWithOrder } from './query.ts';

/**
 * The details of an order's refunds, in the order's own sequence, one call or more for each.
 * @throws ShopError when the order changes meanwhile (to be read again), or has more refunds than Shopify lists.
 */
export async function fetchRefunds(
  client: Client,
  order: AnswerOrder,
  doing: string,
): Promise<AnswerRefund[]> {
  const refunds: AnswerRefund[] = [];
  for (const { id } of await allRefunds(client, order, doing))
    refunds.push(await fetchRefund(client, id, order, doing));
  return refunds;
}

async function allRefunds(client: Client, order: AnswerOrder, doing: string): Promise<{ id: string }[]> {
  if (order.refunds.length < refundsWithOrder) return order.refunds;
  const answer = await client.query(refundsQuery, { id: order.id }, RefundsAnswer, doing);
  if (answer.order && answer.order.id !== order.id) throw mixedUp(doing);
  if (answer.order?.updatedAt !== order.updatedAt) throw orderChanged(doing);
  if (answer.order.refunds.length < mostRefunds) return answer.order.refunds;
  throw new ShopError(
    'shopify-too-many-refunds',
    `El pedido tiene ${mostRefunds} reembolsos o más y Shopify no los entrega todos; atiéndalo a mano.`,
    `Shopify, ${doing}: the order has ${mostRefunds} refunds or more, and Order.refunds has no further page. Handle it by hand.`,
    { retryable: false },
  );
}

/** One refund with every page of its lists. */
async function fetchRefund(
  client: Client,
  id: string,
  order: Pick<AnswerOrder, 'id' | 'updatedAt'>,
  doing: string,
): Promise<AnswerRefund> {
  const cursors: Partial<Record<keyof typeof lists, string | null>> = {};
  const read = async () => {
    const { refund } = await client.query(refundQuery, { id, ...cursors }, RefundAnswer, doing);
    if (refund && (refund.id !== id || refund.order.id !== order.id)) throw mixedUp(doing);
    if (refund?.order.updatedAt !== order.updatedAt) throw orderChanged(doing);
    return refund;
  };
  const whole = await read();
  const unfinished = (page: AnswerRefund) => (name: keyof typeof lists) =>
    page[lists[name]].pageInfo.hasNextPage;
  let page = whole;
  let open = names.filter(unfinished(page));
  while (open.length > 0) {
    for (const name of open) cursors[name] = page[lists[name]].pageInfo.endCursor;
    page = await read();
    // Lists that had ended answer something again; only what was still open counts.
    for (const name of open) (whole[lists[name]].nodes as unknown[]).push(...page[lists[name]].nodes);
    open = open.filter(unfinished(page));
  }
  return whole;
}

/** Each variable of the query and the list it pages. */
const lists = {
  lines: 'refundLineItems',
  shipping: 'refundShippingLines',
  adjustments: 'orderAdjustments',
  transactions: 'transactions',
} as const;
const names = Object.keys(lists) as (keyof typeof lists)[];
