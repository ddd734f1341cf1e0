import { type Amount, decimal, sum } from '../src/core/money.ts';
import type { Order } from '../src/core/order.ts';
import type { PagoBody } from './body.ts';
import type { MappingContext } from './context.ts';
import { defaultPaymentForm, gatewayForms } from './tables/payment-forms.ts';

function formOf(gateway: string, context: MappingContext): string {
  const name = gateway.trim().toLowerCase();
  return (
    context.policy.payments[gateway] ??
    context.policy.payments[name] ??
    gatewayForms[name] ??
    defaultPaymentForm
  );
}

/**
 * `pagos`: one entry per form of SRI table 24, always adding up to the document's total. Where the platform
 * does not say how much went through which gateway, everything stands under the first that is no gift card.
 */
export function toPagos(order: Order, total: Amount, context: MappingContext): PagoBody[] {
  if (decimal(total).isZero()) return [];
  const known = order.payments.filter((payment) => payment.amount !== null && decimal(payment.amount).gt(0));
  const split = known.length > 0 && sum(known.map((payment) => payment.amount ?? '0')).equals(total);
  const byForm = new Map<string, ReturnType<typeof decimal>>();
  if (split) {
    for (const payment of known) {
      const form = formOf(payment.gateway, context);
      byForm.set(form, (byForm.get(form) ?? decimal(0)).plus(payment.amount ?? '0'));
    }
  } else {
    const first = order.payments.find((payment) => payment.gateway !== 'gift_card') ?? order.payments[0];
    byForm.set(first ? formOf(first.gateway, context) : defaultPaymentForm, decimal(total));
  }
  return [...byForm].map(([form, amount]) => ({ tipo: Number(form), total: amount.toNumber() }));
}
