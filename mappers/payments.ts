import type { Day } from '../src/core/calendar.ts';
import { type Amount, type Decimal, decimal, sum, toAmount } from '../src/core/money.ts';
import type { PaymentRule } from '../src/core/money-policy.ts';
import type { Order, Payment } from '../src/core/order.ts';
import type { PagoBody } from './body.ts';
import type { MappingContext } from './context.ts';
import { fold } from './glob.ts';
import { isInForce } from './tables/dated.ts';
import { bankingLimits } from './tables/limits.ts';
import { cashForm, defaultPaymentForm, gatewayForms, gatewayWords } from './tables/payment-forms.ts';

/** A tender with its form of SRI table 24 and what chose it. */
export interface Tender {
  gateway: string;
  rule: PaymentRule;
  by: string;
  amount: Amount;
}

/**
 * Who paid what. The platform's amounts count where they add up to the total; a single unknown one is the rest.
 * Else everything stands under the largest known tender, or the first that is no gift card.
 */
export function toTenders(order: Order, total: Amount, context: MappingContext): Tender[] {
  const tender = (payment: Payment, amount: Decimal): Tender => ({
    gateway: payment.gateway,
    ...formOf(payment, context),
    amount: toAmount(amount),
  });
  if (decimal(total).isZero()) {
    return [{ gateway: '', rule: { tipo: '01' }, by: 'pedido sin cobro', amount: '0.00' }];
  }
  const known = order.payments.filter(({ amount }) => amount !== null && decimal(amount).gt(0));
  const open = order.payments.filter(({ amount }) => amount === null);
  const rest = decimal(total).minus(sum(known.map(({ amount }) => amount ?? '0')));
  if (rest.isZero() && known.length > 0) {
    return known.map((payment) => tender(payment, decimal(payment.amount ?? '0')));
  }
  const [last] = open;
  if (known.length > 0 && open.length === 1 && last && rest.gt(0)) {
    return [...known.map((payment) => tender(payment, decimal(payment.amount ?? '0'))), tender(last, rest)];
  }
  const largest = known.toSorted((a, b) => decimal(b.amount ?? '0').comparedTo(a.amount ?? '0'))[0];
  const only = largest ?? order.payments.find(({ gateway }) => gateway !== 'gift_card') ?? order.payments[0];
  if (only) return [tender(only, decimal(total))];
  return [
    { gateway: '', rule: { tipo: defaultPaymentForm }, by: 'sin medio de pago conocido', amount: total },
  ];
}

function formOf({ gateway, title }: Payment, { policy }: MappingContext): Pick<Tender, 'rule' | 'by'> {
  const name = fold(gateway);
  const own = Object.entries(policy.payments).find(([key]) => key === gateway || fold(key) === name);
  if (own) return { rule: own[1], by: `policy.payments ${own[0]}` };
  const usual = gatewayForms[name];
  if (usual) return { rule: { tipo: usual }, by: `tabla: ${name}` };
  const text = ` ${`${name} ${fold(title ?? '')}`.split(/[^\p{L}\p{N}]+/u).join(' ')} `;
  for (const [words, tipo] of gatewayWords) {
    const word = words.find((one) => text.includes(` ${one} `));
    if (word) return { rule: { tipo }, by: `por su nombre: ${word}` };
  }
  return { rule: { tipo: defaultPaymentForm }, by: 'ninguna regla: otros con el sistema financiero' };
}

/** `pagos`: one entry per form and term, always adding up to the document's total; the order's own term first. */
export function toPagos(tenders: readonly Tender[], order: Order): PagoBody[] {
  const merged = new Map<string, PagoBody & { sum: Decimal }>();
  for (const { rule, amount } of tenders) {
    const term = order.terms ? { plazo: order.terms.days, tiempo: 'dias' } : rule;
    const key = `${rule.tipo} ${term.plazo ?? ''} ${term.tiempo ?? ''}`;
    const before = merged.get(key);
    merged.set(key, {
      tipo: Number(rule.tipo),
      ...(term.plazo === undefined ? {} : { plazo: term.plazo, tiempo: term.tiempo ?? 'dias' }),
      total: 0,
      sum: (before?.sum ?? decimal(0)).plus(amount),
    });
  }
  return [...merged.values()].map(({ sum: total, ...pago }) => ({ ...pago, total: total.toNumber() }));
}

/** Where so much was paid in cash that the buyer may not deduct it (bancarización); nothing is held for it. */
export function cashWarnings(tenders: readonly Tender[], total: Amount, today: Day): string[] {
  const limit = bankingLimits.find((row) => isInForce(row, today))?.limit;
  const cash = tenders.filter(({ rule }) => rule.tipo === cashForm);
  if (limit === undefined || cash.length === 0 || decimal(total).lt(limit)) return [];
  const paid = toAmount(sum(cash.map(({ amount }) => amount)));
  return [
    `De los ${toAmount(total)} se declaran ${paid} sin utilización del sistema financiero (forma de pago 01). En operaciones de más de USD ${limit} el comprador necesita haber pagado por el sistema financiero para deducir la compra (LRTI, art. 103): confirme que se pagó en efectivo o corrija el medio de pago en policy.payments.`,
  ];
}
