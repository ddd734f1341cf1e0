import { type Decimal, decimal, sum, toAmount } from '../src/domain/money.ts';
import type { IvaCode } from '../src/domain/money-policy.ts';
import type { Charge, Tax } from '../src/domain/order.ts';
import type { MappingContext } from './context.ts';
import type { Destination } from './destination.ts';
import type { Entry } from './entries.ts';
import { fold } from './glob.ts';
import { Hold, wouldBe } from './hold.ts';
import { factsOf } from './rules.ts';
import { decideTax, ivaFraction } from './tax.ts';

/**
 * Negative fees as discounts on what they reduce: a factura has no negative lines (ficha técnica SRI, tabla 21).
 * WooCommerce apportions such a fee over everything of the order by its net and taxes each share at its own
 * rate, but keeps only the taxes (measured on WooCommerce 11.0.1; class-wc-order-item-fee.php). The taxes
 * therefore decide which apportionment it was; where none fits, the order is held.
 */
export function spreadDiscounts(
  entries: readonly Entry[],
  discounts: readonly Charge[],
  destination: Destination,
  context: MappingContext,
): Entry[] {
  const codeOf = (discount: Charge, tax: Tax): IvaCode =>
    codeOnLines(entries, tax) ??
    decideTax({ ...factsOf(discount, destination), taxes: [tax] }, () => true, context).iva;
  return discounts.reduce((left, discount) => spread(left, discount, codeOf), [...entries]);
}

type TaxByCode = ReadonlyMap<IvaCode, Decimal>;
type CodeOf = (discount: Charge, tax: Tax) => IvaCode;

/** A rule may know a tax by the goods it was on, which a fee does not name: the same tax is the same code, where it is one. */
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

/** A fee that takes everything off is in cents, what it takes it off may be more precise. */
function withinRounding(entries: readonly Entry[], amount: Decimal): Decimal {
  const whole = sum(entries.map(({ net }) => net));
  const over = amount.minus(whole);
  return over.gt(0) && over.lte(decimal('0.005').times(entries.length)) ? whole : amount;
}

/** What the fee took off each rate, as the platform states it; positive. */
function taxByCode(discount: Charge, codeOf: CodeOf): TaxByCode {
  const byCode = new Map<IvaCode, Decimal>();
  for (const tax of discount.taxes) {
    const iva = codeOf(discount, tax);
    byCode.set(iva, (byCode.get(iva) ?? decimal(0)).minus(tax.amount));
  }
  return byCode;
}

/** Whether taking `amount` off these by their net takes just the stated tax off every rate. */
function explains(entries: readonly Entry[], amount: Decimal, taxes: TaxByCode): boolean {
  const whole = sum(entries.map(({ net }) => net));
  if (whole.lt(amount) || whole.isZero() || entries.some(({ ice, irbpnr }) => ice || irbpnr)) return false;
  const codes = new Set([...entries.map(({ decision }) => decision.iva), ...taxes.keys()]);
  return [...codes].every((code) => {
    const of = sum(entries.filter(({ decision }) => decision.iva === code).map(({ net }) => net));
    const due = amount.times(of).div(whole).times(ivaFraction(code));
    return due
      .minus(taxes.get(code) ?? 0)
      .abs()
      .lte('0.02');
  });
}

/** Plugins of balances, gift cards and advances write what was paid with them as a fee below nothing, without tax. */
const payments =
  /(?<!\p{L})(gift ?cards?|tarjetas? de regalo|store credit|credito (de|en) (la )?tienda|monedero|wallet|billetera|saldo|anticipo|abono|retencion)(?!\p{L})/u;
const isPayment = (name: string): boolean => payments.test(fold(name));

const paymentAsFee = ({ name }: Charge, amount: Decimal): Hold =>
  new Hold(
    'negative-fee',
    `«${name}» rebaja ${toAmount(amount)} sin impuesto y por su nombre es un pago o una retención, no un descuento: la factura se emite por todo lo vendido. Emita esta factura a mano con esa forma de pago; si es un descuento, regístrelo como cupón en la tienda.`,
  );

function unexplained(entries: readonly Entry[], discount: Charge, amount: Decimal): Hold {
  const whole = sum(entries.map(({ net }) => net));
  const hold = (why: string) =>
    new Hold('negative-fee', `«${discount.name}» rebaja ${toAmount(amount)} ${why}`);
  if (whole.lt(amount)) {
    return hold(
      `y lo vendido vale ${toAmount(whole)} sin impuesto, ${toAmount(amount.minus(whole))} menos; una factura no puede ser negativa. Corrija el descuento en la tienda.`,
    );
  }
  if (entries.some(({ ice, irbpnr }) => ice || irbpnr)) {
    return hold(
      'de un pedido con ICE o IRBPNR y no se sabe cuánto de cada uno. Regístrelo como cupón en la tienda.',
    );
  }
  const tax = decimal(discount.tax).negated();
  const share = whole.isZero() ? whole : amount.div(whole);
  const due = sum(entries.map(({ net, decision }) => net.times(ivaFraction(decision.iva)))).times(share);
  return hold(
    `y ${toAmount(tax)} de impuesto; repartido entre todo lo vendido ${wouldBe(tax, due)}. Si es un descuento, regístrelo como cupón en la tienda; si es un pago con monedero o crédito, emita esta factura a mano.`,
  );
}
