import { decimal, sum } from '../../../src/domain/money.ts';
import { type Figure, isBalance, type RefundMoney } from './figures.ts';
import type { RestRefund } from './payload.ts';
import type { RefundedOrder } from './rest-beside.ts';

/** Reads a figure of a refund; null where it is not told. */
export type Read = (set: RestRefund['total_duties_set'], plain?: string | null) => Figure | null;

/** Line and adjustment sets carry both currencies, plain figures the shop's. */
export function reader(money: RefundMoney | null): Read {
  return (set, plain) => {
    const shop = set?.shop_money?.amount ?? plain ?? null;
    if (shop === null) return null;
    const paid = money?.foreign ? (set?.presentment_money?.amount ?? null) : shop;
    return { shop: decimal(shop), paid: paid === null ? null : decimal(paid) };
  };
}

/**
 * Transactions are in the buyer's currency and carry no other. A void gives nothing back (an authorization that
 * was never captured); neither do failures. null when money went back in several currencies, or in one that is
 * neither the shop's nor the buyer's.
 */
export function moneyOf(transactions: RestRefund['transactions'], order: RefundedOrder): RefundMoney | null {
  const refunds = (transactions ?? []).filter((one) => one.kind?.toLowerCase() === 'refund');
  const of = (...statuses: string[]) =>
    refunds.filter(({ status }) => statuses.includes(status?.toLowerCase() ?? ''));
  const done = of('success');
  const waiting = of('pending', 'awaiting_response');
  const currencies = new Set([...done, ...waiting].map(({ currency }) => currency ?? order.currency));
  const [currency = order.currency] = currencies;
  const foreign = currencies.size > 1 || currency !== order.currency;
  const known = currencies.size <= 1 && (!foreign || order.shown === null || currency === order.shown);
  if (!known && done.length > 0) return null;
  const total = (list: typeof refunds) => sum(list.map(({ amount }) => amount ?? '0.00'));
  const failed = refunds.length > done.length + waiting.length;
  const toBalances = (foreign ? [] : done)
    .filter(({ gateway }) => isBalance(gateway))
    .map(({ gateway, amount }) => ({ gateway: gateway ?? '', amount: decimal(amount ?? '0.00') }));
  return { done: total(done), waiting: total(waiting), failed, toBalances, foreign };
}
