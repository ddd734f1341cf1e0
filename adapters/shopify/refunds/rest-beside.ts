import type { Amount } from '../../../src/domain/money.ts';
import { exactId } from '../ids.ts';
import { shopMoney, toShipping } from '../rest-amounts.ts';
import type { SaleCharge } from '../shape.ts';
import type { RefundOrder } from './payload.ts';

/** What a refund does not say itself and its order does. */
export interface RefundedOrder {
  currency: string;
  /** The buyer's currency. */
  shown: string | null;
  taxesIncluded: boolean;
  /** Line id → its name. */
  names: ReadonlyMap<string, string>;
  /** As sold, removed ones too. */
  shipping: readonly SaleCharge[];
  onlyShipping: SaleCharge | null;
  /** By how much cash was rounded in all of its refunds. */
  cashRounding: Amount;
}

export function refundedOrder(order: RefundOrder): RefundedOrder {
  const lines = order.shipping_lines ?? [];
  const standing = lines.filter((line) => line.is_removed !== true);
  return {
    currency: order.currency,
    shown: order.presentment_currency ?? null,
    taxesIncluded: order.taxes_included,
    names: new Map((order.line_items ?? []).map((line) => [exactId(line), line.name ?? line.title ?? ''])),
    shipping: lines.map(toShipping),
    cashRounding: shopMoney(order.total_cash_rounding_refund_adjustment_set, '0.00'),
    onlyShipping: standing.length === 1 && standing[0] ? toShipping(standing[0]) : null,
  };
}
