import { type Amount, type Decimal, decimal, sum } from '../../src/domain/money.ts';
import type { Payment, Settlement } from '../../src/domain/order.ts';
import { instant, type Sale, writeAmount } from './sale.ts';

/** `total_price` does not contain the rounding of cash. */
export function withoutRounding(sale: Sale): Sale {
  const { received, cashRounding } = sale;
  if (received === null || !decimal(received).minus(cashRounding).eq(sale.total)) return sale;
  return { ...sale, received: sale.total };
}

const settlements: Record<string, Settlement> = {
  paid: 'paid',
  partially_paid: 'partially-paid',
  partially_refunded: 'partially-refunded',
  refunded: 'refunded',
};

/** Cancelling moves no money in Shopify, so a full refund counts before the cancellation. */
export function readSettlement(sale: Sale): Settlement {
  const status = sale.financialStatus;
  if (status === 'refunded') return 'refunded';
  if (sale.cancelledAt !== null) return 'cancelled';
  if (status === null) return decimal(sale.total).isZero() ? 'paid' : 'unpaid';
  return settlements[status] ?? 'unpaid';
}

function isPaid(sale: Sale): boolean {
  const uncancelled = readSettlement({ ...sale, cancelledAt: null });
  return uncancelled === 'paid' || uncancelled === 'partially-refunded' || uncancelled === 'refunded';
}

type Transaction = NonNullable<Sale['transactions']>[number];

function isPayment(transaction: Transaction): boolean {
  return transaction.status === 'success' && ['sale', 'capture'].includes(transaction.kind);
}

export function readPayments(sale: Sale, total: Amount): Payment[] {
  const byGateway = new Map<string, { title: string | null; amounts: Amount[] }>();
  for (const one of sale.transactions ?? []) {
    const change = one.kind === 'change' && one.status === 'success';
    if (!isPayment(one) && !change) continue;
    const seen = byGateway.get(one.gateway) ?? { title: one.title, amounts: [] };
    seen.amounts.push(change ? writeAmount(decimal(one.amount).abs().negated()) : one.amount);
    byGateway.set(one.gateway, seen);
  }
  if (byGateway.size > 0)
    return unrounded(
      [...byGateway].map(([gateway, { title, amounts }]) => ({ gateway, title, amount: sum(amounts) })),
      sale.cashRounding,
      total,
    );
  const names = [...new Set(sale.gatewayNames.map((name) => name.trim()).filter(Boolean))];
  const amount = names.length === 1 && isPaid(sale) ? total : null;
  return names.map((gateway) => ({ gateway, title: null, amount }));
}

function unrounded(
  paid: { gateway: string; title: string | null; amount: Decimal }[],
  rounding: Amount,
  total: Amount,
): Payment[] {
  const off = decimal(total).minus(sum(paid.map(({ amount }) => amount)));
  const cash = paid.find(({ gateway }) => /cash|efectivo/i.test(gateway));
  const isRounded = cash !== undefined && !off.isZero() && off.eq(decimal(rounding).negated());
  return paid.map(({ amount, ...one }) => ({
    ...one,
    amount: writeAmount(isRounded && one.gateway === cash.gateway ? amount.plus(off) : amount),
  }));
}

/** Of the last payment; null for a sale that nothing was paid for. */
export function readPaidAt(sale: Sale): string | null {
  const received = sale.transactions?.filter(isPayment) ?? [];
  if (!isPaid(sale) && received.length === 0) return null;
  const at = received.map(({ processedAt }) => processedAt).reduce(later, null) ?? sale.processedAt;
  return at && instant(at);
}

function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return Date.parse(b) > Date.parse(a) ? b : a;
}
