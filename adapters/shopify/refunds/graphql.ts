import { decimal, sum } from '../../../src/domain/money.ts';
import { chargeSource, lineSource, type Refund } from '../../../src/domain/refund.ts';
import type { AnswerOrder } from '../answer.ts';
import { numericId } from '../ids.ts';
import type { AnswerRefund } from './answer.ts';
import {
  type Figure,
  isBalance,
  negated,
  nothing,
  plus,
  type RefundFigures,
  type RefundMoney,
} from './figures.ts';
import { toRefund } from './reading.ts';

type MoneyBag = AnswerRefund['totalRefundedSet'];

/** A GraphQL refund with all pages of its lists. Every figure carries the shop's currency, the money too. */
export function fromGraphqlRefund(refund: AnswerRefund, order: AnswerOrder): Refund {
  const [line, another] = order.shippingLines.nodes;
  return toRefund({
    id: numericId(refund.id),
    at: refund.processedAt ?? refund.createdAt,
    note: refund.note,
    taxesIncluded: order.taxesIncluded,
    lines: refund.refundLineItems.nodes.map(({ quantity, subtotalSet, totalTaxSet, lineItem }) => ({
      of: lineSource(numericId(lineItem.id)),
      name: lineItem.name,
      quantity,
      subtotal: figure(subtotalSet),
      tax: figure(totalTaxSet),
    })),
    shipping: refund.refundShippingLines.nodes.map(({ shippingLine, ...one }) => ({
      of: shippingSource(shippingLine.id),
      name: shippingLine.title,
      subtotal: figure(one.subtotalAmountSet),
      tax: figure(one.taxAmountSet),
      soldTax: null,
    })),
    onlyShipping: line && !another ? { of: shippingSource(line.id), name: line.title } : null,
    extras: (refund.duties ?? [])
      .map(({ amountSet, originalDuty }) => ({
        of: originalDuty && chargeSource('duty', numericId(originalDuty.id)),
        name: 'Aranceles',
        amount: figure(amountSet),
      }))
      .filter(({ amount }) => !amount.shop.isZero()),
    ...adjustmentsOf(refund.orderAdjustments.nodes),
    money: moneyOf(refund.transactions.nodes),
    cashRounding: decimal(order.totalCashRoundingAdjustment?.refundSet.shopMoney.amount ?? '0'),
    stated: refund.totalRefundedSet.shopMoney.amount,
  });
}

function figure({ shopMoney }: MoneyBag): Figure {
  const value = decimal(shopMoney.amount);
  return { shop: value, paid: value };
}

/** As from-graphql.ts names a shipping line without an id. */
function shippingSource(id: string | null): string {
  return chargeSource('shipping', id === null ? 'shipping' : numericId(id));
}

/**
 * Every discrepancy has a reason (OrderAdjustmentDiscrepancyReason); an adjustment without one is a shipping
 * refund of before 2024-10, which is no discrepancy.
 */
function adjustmentsOf(
  nodes: AnswerRefund['orderAdjustments']['nodes'],
): Pick<RefundFigures, 'discrepancy' | 'shippingAdjusted'> {
  const shipping = nodes.filter(({ reason }) => reason === null);
  const others = nodes.filter(({ reason }) => reason !== null);
  const total = (figures: Figure[]) => (figures.length === 0 ? nothing : negated(plus(...figures)));
  return {
    discrepancy: total(others.flatMap((one) => [figure(one.amountSet), figure(one.taxAmountSet)])),
    shippingAdjusted:
      shipping.length === 0
        ? null
        : {
            amount: total(shipping.map((one) => figure(one.amountSet))),
            tax: total(shipping.map((one) => figure(one.taxAmountSet))),
          },
  };
}

function moneyOf(transactions: AnswerRefund['transactions']['nodes']): RefundMoney {
  const refunds = transactions.filter(({ kind }) => kind === 'REFUND');
  const of = (...statuses: string[]) => refunds.filter(({ status }) => statuses.includes(status));
  const done = of('SUCCESS');
  const waiting = of('PENDING', 'AWAITING_RESPONSE');
  const total = (list: typeof refunds) => sum(list.map(({ amountSet }) => amountSet.shopMoney.amount));
  const failed = refunds.length > done.length + waiting.length;
  const toBalances = done
    .filter(({ gateway }) => isBalance(gateway))
    .map(({ gateway, amountSet }) => ({
      gateway: gateway ?? '',
      amount: decimal(amountSet.shopMoney.amount),
    }));
  return { done: total(done), waiting: total(waiting), failed, toBalances, foreign: false };
}
