import {
  type Amount,
  type Decimal,
  decimal,
  isWithinCents,
  roundsToZero,
  sum,
  toAmount,
} from '../src/domain/money.ts';
import type { IvaCode, PaymentRule } from '../src/domain/money-policy.ts';
import type { Charge, Order, Payment, Tax } from '../src/domain/order.ts';
import type { PagoBody } from './body.ts';
import { dueOf, type FacturaContext, Hold } from './hold.ts';
import {
  cashForm,
  cashWords,
  defaultPaymentForm,
  gatewayForms,
  gatewayWords,
  onDelivery,
  onDeliveryIds,
} from './tables/payment-forms.ts';
import { decideTax, type Entry, ivaFraction } from './tax.ts';
import { type Destination, factsOf, fold } from './tax-rules.ts';

/** The form is of SRI table 24. */
export interface Tender {
  gateway: string;
  rule: PaymentRule;
  by: string;
  amount: Amount;
  term: { plazo: number; tiempo: string } | null;
}

export const bySize = (a: Payment, b: Payment): number =>
  decimal(b.amount ?? '0').comparedTo(a.amount ?? '0');

/** Amounts count when they add up to the total; a single unknown one is the rest. Else all is paid with the largest. */
export function toTenders(order: Order, total: Amount, context: FacturaContext): Tender[] {
  const made = (fields: Omit<Tender, 'term'>): Tender => ({ ...fields, term: termOf(order, fields.rule) });
  const unnamed = (tipo: string, by: string) => [made({ gateway: '', rule: { tipo }, by, amount: total })];
  const tender = (payment: Payment, amount: Decimal | Amount | null): Tender =>
    made({ gateway: payment.gateway, ...formOf(payment, context), amount: toAmount(amount ?? '0') });
  if (decimal(total).isZero()) return unnamed(cashForm, 'pedido sin cobro');
  const known = order.payments.filter(({ amount }) => amount !== null && decimal(amount).gt(0));
  const open = order.payments.filter(({ amount }) => amount === null);
  const tenders = known.map((payment) => tender(payment, payment.amount));
  const rest = decimal(total).minus(sum(known.map(({ amount }) => amount ?? '0')));
  if (rest.isZero() && known.length > 0) return tenders;
  const [last] = open;
  if (known.length > 0 && open.length === 1 && last && rest.gt(0)) return [...tenders, tender(last, rest)];
  const [largest] = known.toSorted(bySize);
  const only = largest ?? order.payments.find(({ gateway }) => gateway !== 'gift_card') ?? order.payments[0];
  return only ? [tender(only, total)] : unnamed(defaultPaymentForm, 'sin medio de pago conocido');
}

function termOf({ terms }: Order, { plazo, tiempo }: PaymentRule): Tender['term'] {
  if (terms) return { plazo: terms.days, tiempo: 'dias' };
  return plazo === undefined ? null : { plazo, tiempo: tiempo ?? 'dias' };
}

function formOf({ gateway, title }: Payment, { policy }: FacturaContext): Pick<Tender, 'rule' | 'by'> {
  const name = fold(gateway);
  const own = Object.entries(policy.payments).find(([key]) => key === gateway || fold(key) === name);
  if (own) return { rule: own[1], by: `policy.payments ${own[0]}` };
  const usual = gatewayForms[name];
  const byTable = usual && { rule: { tipo: usual }, by: `tabla: ${name}` };
  const onArrival = onDeliveryIds.includes(name);
  if (byTable && !onArrival) return byTable;
  const written = onArrival ? `${title ?? ''} ${onDelivery[0]}` : `${name} ${title ?? ''}`;
  const text = ` ${fold(written)
    .split(/[^\p{L}\p{N}]+/u)
    .join(' ')} `;
  const named = (words: readonly string[]) => words.find((one) => text.includes(` ${one} `));
  const cash = named(onDelivery) && named(cashWords);
  if (cash) return byTable || { rule: { tipo: cashForm }, by: `por su nombre: ${cash}` };
  for (const [words, tipo] of gatewayWords) {
    const word = named(words);
    if (word && words === onDelivery && byTable) return byTable;
    if (word) return { rule: { tipo }, by: `por su nombre: ${word}` };
  }
  return { rule: { tipo: defaultPaymentForm }, by: 'ninguna regla: otros con el sistema financiero' };
}

export function toPagos(tenders: readonly Tender[]): PagoBody[] {
  const merged = new Map<string, PagoBody>();
  for (const { rule, term, amount } of tenders) {
    const key = `${rule.tipo} ${term?.plazo ?? ''} ${term?.tiempo ?? ''}`;
    const total = decimal(merged.get(key)?.total ?? 0).plus(amount);
    merged.set(key, { tipo: Number(rule.tipo), ...term, total: total.toNumber() });
  }
  return [...merged.values()];
}

/** WooCommerce spreads a negative fee by net but stores only its taxes (measured; class-wc-order-item-fee.php). */
export function spreadDiscounts(
  entries: readonly Entry[],
  discounts: readonly Charge[],
  destination: Destination,
  context: Pick<FacturaContext, 'policy' | 'today'>,
): Entry[] {
  const codeOf = (discount: Charge, tax: Tax): IvaCode =>
    codeOnLines(entries, tax) ??
    decideTax({ ...factsOf(discount, destination), taxes: [tax] }, () => true, context).iva;
  return discounts.reduce((left, discount) => spread(left, discount, codeOf), [...entries]);
}

type TaxByCode = ReadonlyMap<IvaCode, Decimal>;
type CodeOf = (discount: Charge, tax: Tax) => IvaCode;

/** A fee names no goods: the code of the same tax on lines decides, if it is one code. */
function codeOnLines(entries: readonly Entry[], { rateId, rate, title }: Tax): IvaCode | null {
  const same = entries.filter(({ decision: { stated } }) =>
    rateId === null ? stated?.rate === rate && stated?.title === title : stated?.rateId === rateId,
  );
  const [code, ...others] = new Set(same.map(({ decision }) => decision.iva));
  return code === undefined || others.length > 0 ? null : code;
}

function spread(entries: Entry[], discount: Charge, codeOf: CodeOf): Entry[] {
  const amount = withinRounding(entries, decimal(discount.net).negated());
  const taxes = taxByCode(discount, codeOf);
  const charged = [...taxes].filter(([, tax]) => !tax.isZero()).map(([code]) => code);
  const candidates = [
    entries,
    ...(charged.length === 1 ? [entries.filter(({ decision }) => decision.iva === charged[0])] : []),
    ...(charged.length === 0 ? [entries.filter(({ decision }) => ivaFraction(decision.iva).isZero())] : []),
  ];
  if (charged.length === 0 && isPayment(discount.name)) throw paymentAsFee(discount, amount);
  const reduced = candidates.find((some) => explains(some, amount, taxes));
  if (!reduced) throw unexplained(entries, discount, amount);
  const whole = sum(reduced.map(({ net }) => net));
  const grouped = new Map<IvaCode, Decimal>();
  for (const { net, decision } of reduced) {
    grouped.set(decision.iva, (grouped.get(decision.iva) ?? decimal(0)).plus(net));
  }
  return entries.map((entry) => {
    if (!reduced.includes(entry) || entry.net.isZero()) return entry;
    const group = grouped.get(entry.decision.iva) ?? whole;
    const tax = (taxes.get(entry.decision.iva) ?? decimal(0)).times(entry.net).div(group);
    return {
      ...entry,
      net: amount.equals(whole) ? decimal(0) : entry.net.minus(amount.times(entry.net).div(whole)),
      iva: entry.iva.minus(tax),
      notes: [...entry.notes, `descuento repartido: «${discount.name}»`],
    };
  });
}

/** A fee that takes everything off is in cents; the lines may be more precise. */
function withinRounding(entries: readonly Entry[], amount: Decimal): Decimal {
  const whole = sum(entries.map(({ net }) => net));
  const over = amount.minus(whole);
  return over.gt(0) && over.lte(decimal('0.005').times(entries.length)) ? whole : amount;
}

function taxByCode(discount: Charge, codeOf: CodeOf): TaxByCode {
  const byCode = new Map<IvaCode, Decimal>();
  const inCents = discount.taxes.filter(({ amount }) => !roundsToZero(amount));
  for (const tax of inCents.length > 0 ? inCents : discount.taxes) {
    const iva = codeOf(discount, tax);
    byCode.set(iva, (byCode.get(iva) ?? decimal(0)).minus(tax.amount));
  }
  return byCode;
}

function explains(entries: readonly Entry[], amount: Decimal, taxes: TaxByCode): boolean {
  const whole = sum(entries.map(({ net }) => net));
  if (whole.lt(amount) || whole.isZero() || entries.some(({ ice, irbpnr }) => ice || irbpnr)) return false;
  const codes = new Set([...entries.map(({ decision }) => decision.iva), ...taxes.keys()]);
  return [...codes].every((code) => {
    const of = sum(entries.filter(({ decision }) => decision.iva === code).map(({ net }) => net));
    const due = amount.times(of).div(whole).times(ivaFraction(code));
    return isWithinCents(due, taxes.get(code) ?? '0', 2);
  });
}

/** Plugins for balances, gift cards and advances write payments as negative fees without tax. */
const payments =
  /(?<!\p{L})(gift ?cards?|tarjetas? de regalo|store credit|credito (de|en) (la )?tienda|monedero|wallet|billetera|saldo|anticipo|abono|retencion)(?!\p{L})/u;
const isPayment = (name: string): boolean => payments.test(fold(name));

const paymentAsFee = ({ name }: Charge, amount: Decimal): Hold =>
  new Hold('negative-amount', { why: 'payment', name, amount: toAmount(amount) });

function unexplained(entries: readonly Entry[], discount: Charge, amount: Decimal): Hold {
  const whole = sum(entries.map(({ net }) => net));
  const fee = { name: discount.name, amount: toAmount(amount) };
  if (whole.lt(amount)) {
    const apart = toAmount(amount.minus(whole));
    return new Hold('negative-amount', { why: 'too-much', ...fee, sold: toAmount(whole), apart });
  }
  if (entries.some(({ ice, irbpnr }) => ice || irbpnr))
    return new Hold('negative-amount', { why: 'excise', ...fee });
  const tax = decimal(discount.tax).negated();
  const share = whole.isZero() ? whole : amount.div(whole);
  const due = sum(entries.map(({ net, decision }) => net.times(ivaFraction(decision.iva)))).times(share);
  return new Hold('negative-amount', { why: 'tax', ...fee, tax: toAmount(tax), ...dueOf(tax, due) });
}
