import { z } from 'zod';
import { PayloadError } from '../../src/core/errors.ts';
import { decimal } from '../../src/core/money.ts';
import { bareRefund, type Refund } from '../../src/core/refund.ts';
import { RestRefund } from './payload.ts';
import { exactId, refundedAmount } from './rest.ts';

const refunds = z.union([
  z.array(RestRefund),
  z.object({ refunds: z.array(RestRefund) }).transform((body) => body.refunds),
  z.object({ refund: RestRefund }).transform((body) => [body.refund]),
  RestRefund.transform((one) => [one]),
]);

/**
 * Reads REST-shaped refunds: one, a list, `{refund: …}` or `{refunds: […]}`. One that moved no money (restock
 * only, pending transfer) gave nothing back and is left out (Shopify’s order and refund payloads).
 * @throws PayloadError when they are none.
 */
export function readRefunds(payload: unknown): Refund[] {
  const read = refunds.safeParse(payload);
  if (!read.success)
    throw new PayloadError(
      'shopify-not-refunds',
      'Lo que llegó de Shopify no son reembolsos. Entregue el cuerpo de refunds/create o de orders/<id>/refunds.json.',
      'Not Shopify refunds: each needs id, order_id and refund_line_items.',
    );
  return read.data
    .map((one) => bareRefund(exactId(one), givenBack(one)))
    .filter(({ amount }) => amount === null || decimal(amount).gt(0));
}

/** A refund does not name the shop's currency; its lines or adjustments do, else the transactions' own. */
function givenBack(refund: RestRefund): Refund['amount'] {
  const transactions = refund.transactions ?? [];
  const sets = [
    ...refund.refund_line_items.map((line) => line.subtotal_set),
    ...(refund.order_adjustments ?? []).map((adjustment) => adjustment.amount_set),
  ];
  const named = sets.map((set) => set?.shop_money.currency_code).find((code) => code !== undefined);
  return refundedAmount(transactions, named ?? transactions[0]?.currency ?? '');
}
