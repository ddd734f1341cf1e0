import { type Amount, type Decimal, decimal, sum, toAmount } from '../src/domain/money.ts';
import type { PaymentRule } from '../src/domain/money-policy.ts';
import type { Order, Payment } from '../src/domain/order.ts';
import type { PagoBody } from './body.ts';
import type { MappingContext } from './context.ts';
import { fold } from './glob.ts';
import { defaultPaymentForm, gatewayForms, gatewayWords } from './tables/payment-forms.ts';

/** A tender with its form of SRI table 24 and what chose it. */
export interface Tender {
  gateway: string;
  rule: PaymentRule;
  by: string;
  amount: Amount;
  /** When it is paid, where it was sold on credit: the order's own term before the merchant's rule. */
  term: { plazo: number; tiempo: string } | null;
}

/**
 * Who paid what. The platform's amounts count where they add up to the total; a single unknown one is the rest.
 * Else everything stands under the largest known tender, or the first that is no gift card.
 */
export function toTenders(order: Order, total: Amount, context: MappingContext): Tender[] {
  const made = (fields: Omit<Tender, 'term'>): Tender => ({ ...fields, term: termOf(order, fields.rule) });
  const tender = (payment: Payment, amount: Decimal): Tender =>
    made({ gateway: payment.gateway, ...formOf(payment, context), amount: toAmount(amount) });
  if (decimal(total).isZero()) {
    return [made({ gateway: '', rule: { tipo: '01' }, by: 'pedido sin cobro', amount: '0.00' })];
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
    made({
      gateway: '',
      rule: { tipo: defaultPaymentForm },
      by: 'sin medio de pago conocido',
      amount: total,
    }),
  ];
}

function termOf({ terms }: Order, { plazo, tiempo }: PaymentRule): Tender['term'] {
  if (terms) return { plazo: terms.days, tiempo: 'dias' };
  return plazo === undefined ? null : { plazo, tiempo: tiempo ?? 'dias' };
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

/** `pagos`: one entry per form and term, always adding up to the document's total. */
export function toPagos(tenders: readonly Tender[]): PagoBody[] {
  const merged = new Map<string, PagoBody & { sum: Decimal }>();
  for (const { rule, term, amount } of tenders) {
    const key = `${rule.tipo} ${term?.plazo ?? ''} ${term?.tiempo ?? ''}`;
    const before = merged.get(key);
    merged.set(key, {
      tipo: Number(rule.tipo),
      ...term,
      total: 0,
      sum: (before?.sum ?? decimal(0)).plus(amount),
    });
  }
  return [...merged.values()].map(({ sum: total, ...pago }) => ({ ...pago, total: total.toNumber() }));
}
