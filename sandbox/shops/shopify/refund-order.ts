import { type Decimal, decimal, sum } from '../../../src/domain/money.ts';
import { received, refunded } from './graphql-payments.ts';
import { newRefund } from './new-refund.ts';
import { exactId, type StoredOrder } from './store.ts';
import { type Bag, bag, bags } from './values.ts';

/**
 * Makes a refund of a stored order and changes the order as Shopify does: its refunds, units, what it comes to
 * now, what is owed, and its status. `total_*` stay as sold. Answers the refund as refunds/create carries it.
 */
export function refundOrder(order: StoredOrder, given: Bag, nextId: () => number, now: Date): Bag {
  const { rest } = order;
  const paid = decimal(received(rest));
  const refund = newRefund(order, given, nextId, now);
  rest.refunds = [...bags(rest.refunds), refund.json];
  const units = new Map(
    refund.lines.map(({ json }) => [exactId({ id: json.line_item_id }), Number(json.quantity)]),
  );
  for (const line of bags(rest.line_items)) {
    const back = units.get(String(line.id)) ?? 0;
    line.current_quantity = Number(line.current_quantity ?? line.quantity) - back;
  }
  const parts = [...refund.lines, ...refund.shipping];
  const worth = sum(parts.flatMap(({ net, tax }) => [net, tax]));
  const moved = bags(refund.json.transactions).some(({ kind }) => kind === 'refund');
  const arrived = decimal(refunded(refund.json));
  lower(rest, 'total_price', moved ? arrived : worth);
  lower(rest, 'subtotal_price', sum(refund.lines.map(({ subtotal }) => subtotal)));
  lower(rest, 'total_tax', sum(parts.map(({ tax }) => tax)));
  const givenBack = sum(bags(rest.refunds).map(refunded));
  rest.total_outstanding = decimal(String(rest.current_total_price)).minus(paid.minus(givenBack)).toFixed(2);
  if (arrived.gt(0)) rest.financial_status = givenBack.lt(paid) ? 'partially_refunded' : 'refunded';
  rest.updated_at = now.toISOString();
  order.updatedAt = rest.updated_at as string;
  return structuredClone(refund.json);
}

/** Lowers `current_<name>`, which is `<name>` until the first change, also in its set. */
function lower(rest: Bag, name: string, by: Decimal): void {
  const key = `current_${name}`;
  const plain = rest[key] ?? rest[name];
  if (plain === undefined || plain === null) return;
  const amount = decimal(String(plain)).minus(by).toFixed(2);
  rest[key] = amount;
  const set = bag(rest[`${key}_set`]);
  if (!set.shop_money) return;
  const alone = (rest.presentment_currency ?? rest.currency) === rest.currency;
  const lowered = (money: unknown) => ({ ...bag(money), amount });
  rest[`${key}_set`] = {
    ...set,
    shop_money: lowered(set.shop_money),
    ...(alone && set.presentment_money ? { presentment_money: lowered(set.presentment_money) } : {}),
  };
}
