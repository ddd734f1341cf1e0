import { type Bag, bag, bags, type MoneyBag, orNull, utc } from './values.ts';

const paidStates = ['paid', 'partially_refunded', 'refunded'];

/** As given, else one sale through the only gateway of a paid order; a split is never invented. */
export function transactions(rest: Bag, money: MoneyBag): Bag[] {
  if (Array.isArray(rest.transactions))
    return bags(rest.transactions).map((one) => transaction(one, money(one.amount_set, one.amount)));
  const gateways = Array.isArray(rest.payment_gateway_names)
    ? rest.payment_gateway_names.filter(Boolean)
    : [];
  if (gateways.length !== 1 || !paidStates.includes(String(rest.financial_status))) return [];
  const sale = { kind: 'sale', status: 'success', gateway: gateways[0], processed_at: rest.processed_at };
  return [transaction(sale, money(null, received(rest)))];
}

export function transaction(one: Bag, amountSet: Bag): Bag {
  return {
    kind: String(one.kind).toUpperCase(),
    status: String(one.status).toUpperCase(),
    gateway: orNull(one.gateway),
    formattedGateway: orNull(one.gateway),
    processedAt: utc(one.processed_at),
    amountSet,
  };
}

/** What came in before refunds: nothing yet, the reduced order after an unpaid edit, else the order. */
export function received(rest: Bag): string {
  if (rest.total_received !== undefined) return String(rest.total_received);
  if (!paidStates.includes(String(rest.financial_status))) return '0.00';
  const edited = bags(rest.refunds).every((refund) => Number(refunded(refund)) === 0);
  if (!edited || rest.current_total_price === undefined) return String(rest.total_price);
  return (Number(rest.current_total_price) - Number(rest.total_outstanding ?? 0)).toFixed(2);
}

/** The refunded amount in the shop's currency. REST has the buyer's; `amount_set` may be added for both. */
export function refunded(refund: Bag): string {
  return bags(refund.transactions)
    .filter(({ kind, status }) => kind === 'refund' && status === 'success')
    .reduce((sum, one) => sum + Number(bag(bag(one.amount_set).shop_money).amount ?? one.amount), 0)
    .toFixed(2);
}
