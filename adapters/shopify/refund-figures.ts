import { type Amount, type Decimal, decimal, roundCents, splitCents, sum } from '../../src/domain/money.ts';
import type { Refund, RefundPart } from '../../src/domain/order.ts';
import { instant, writeAmount } from './sale.ts';

/** In the shop's currency, and in the one the money moved in (null where unknown). */
export interface Figure {
  shop: Decimal;
  paid: Decimal | null;
}

export interface RefundFigures {
  id: string;
  at: string | null;
  note: string | null;
  taxesIncluded: boolean;
  /** Null where the source names lines without amounts. */
  lines: RefundedLine[] | null;
  shipping: RefundedShipping[];
  /** The shipping refund again, as the sum of its adjustments: positive = given back. `amount` excludes the tax. */
  shippingAdjusted: { amount: Figure; tax: Figure | null } | null;
  onlyShipping: { of: string; name: string } | null;
  extras: { of: string | null; name: string; amount: Figure }[];
  /** Minus the sum of the other adjustments with their tax: positive = more went back than the parts state. */
  discrepancy: Figure;
  money: RefundMoney | null;
  cashRounding: Decimal;
  stated: Amount | null;
}

interface RefundedLine {
  of: string | null;
  name: string;
  quantity: number;
  subtotal: Figure;
  tax: Figure;
}

interface RefundedShipping {
  of: string | null;
  name: string;
  subtotal: Figure;
  /** Null where only its sum is known, or not even that (REST). */
  tax: Figure | null;
  /** Tax per unit of net of the shipping line as sold; null where that line is unknown. */
  soldTax: Decimal | null;
}

export interface RefundMoney {
  done: Decimal;
  waiting: Decimal;
  failed: boolean;
  /** The part of `done` that went to gift cards and store credit; empty in another currency. */
  toBalances: { gateway: string; amount: Decimal }[];
  inBuyerCurrency: boolean;
}

interface FigurePart {
  of: string | null;
  name: string;
  quantity: number;
  net: Figure;
  tax: Figure;
}

export const isBalance = (gateway: string | null | undefined): boolean =>
  gateway === 'gift_card' || gateway === 'shopify_store_credit';

const zero = decimal(0);
export const nothing: Figure = { shop: zero, paid: zero };

export function plus(...figures: readonly Figure[]): Figure {
  return figures.reduce(
    (total, one) => ({
      shop: total.shop.plus(one.shop),
      paid: total.paid === null || one.paid === null ? null : total.paid.plus(one.paid),
    }),
    nothing,
  );
}

export function negated({ shop, paid }: Figure): Figure {
  return { shop: shop.negated(), paid: paid?.negated() ?? null };
}

function minus(a: Figure, b: Figure): Figure {
  return plus(a, negated(b));
}

function sumOfParts(parts: readonly FigurePart[]): Figure {
  return plus(...parts.flatMap(({ net, tax }) => [net, tax]));
}

export function toRefund(figures: RefundFigures): Refund {
  const parts = partsOf(figures);
  const toBalances = (figures.money?.toBalances ?? []).map(({ gateway, amount }) => ({
    gateway,
    amount: writeAmount(amount),
  }));
  return {
    id: figures.id,
    at: figures.at === null ? null : instant(figures.at),
    reason: figures.note?.trim() || null,
    ...settleMoney(figures, parts && sumOfParts(parts)),
    parts: parts?.map(write) ?? null,
    ...(toBalances.length > 0 && { toBalances }),
  };
}

function partsOf(figures: RefundFigures): FigurePart[] | null {
  if (figures.lines === null) return null;
  const others = [
    ...figures.lines.map((line) => linePart(line, figures.taxesIncluded)),
    // Neither API states the tax on a refunded duty or fee.
    ...figures.extras.map(({ amount, ...extra }) => ({ ...extra, quantity: 0, net: amount, tax: nothing })),
  ];
  return [...others, ...shippingParts(figures, sumOfParts(others))];
}

/** The subtotal contains the tax where the order's prices do (captures of both). */
function linePart({ subtotal, ...line }: RefundedLine, taxesIncluded: boolean): FigurePart {
  return { ...line, net: taxesIncluded ? minus(subtotal, line.tax) : subtotal };
}

function write({ of, name, quantity, net, tax }: FigurePart): RefundPart {
  return {
    of,
    name: name.trim(),
    quantity: String(quantity),
    net: writeAmount(net.shop),
    tax: writeAmount(tax.shop),
  };
}

/**
 * Adjustments repeat the lines, and count where there are none (before 2024-10, or reversed). Assumption: with prices
 * that include tax, lines contain it and adjustments do not, unless only the opposite explains the money.
 */
function shippingParts(figures: RefundFigures, others: Figure): FigurePart[] {
  const adjusted = figures.shipping.length === 0;
  const lines = adjusted ? fromAdjustments(figures) : figures.shipping;
  if (lines.length === 0) return [];
  const taxes = taxesOf(figures, lines, others);
  const read = (containsTax: boolean) =>
    lines.map(({ of, name, subtotal }, i): FigurePart => {
      const tax = taxes[i] ?? nothing;
      return { of, name, quantity: 0, net: containsTax ? minus(subtotal, tax) : subtotal, tax };
    });
  const usual = figures.taxesIncluded && !adjusted;
  if (!figures.taxesIncluded) return read(usual);
  const explains = (parts: FigurePart[]) => isExplained(figures, plus(others, sumOfParts(parts)));
  return !explains(read(usual)) && explains(read(!usual)) ? read(!usual) : read(usual);
}

function fromAdjustments({ shippingAdjusted, onlyShipping }: RefundFigures): RefundedShipping[] {
  if (shippingAdjusted === null || shippingAdjusted.amount.shop.isZero()) return [];
  const { amount: subtotal, tax } = shippingAdjusted;
  const { of, name } = onlyShipping ?? { of: null, name: 'Envío' };
  return [{ of, name, subtotal, tax, soldTax: null }];
}

function taxesOf(figures: RefundFigures, lines: RefundedShipping[], others: Figure): Figure[] {
  const stated = lines.map(({ tax }) => tax);
  if (stated.every((tax) => tax !== null)) return stated;
  const adjusted = figures.shippingAdjusted?.tax;
  if (adjusted) return spread(adjusted, lines);
  return taxesByMoney(figures, lines, others) ?? lines.map((line) => soldTaxOf(line, figures.taxesIncluded));
}

/** The rest is tax only from zero to the tax of the shipping line as sold, plus a cent for rounding. */
function taxesByMoney(figures: RefundFigures, lines: RefundedShipping[], others: Figure): Figure[] | null {
  const rest = plus(others, figures.discrepancy, ...lines.map(({ subtotal }) => subtotal)).paid;
  if (rest === null) return null;
  const known = lines.every(({ soldTax }) => soldTax !== null);
  const most = known
    ? sumOfPaid(lines.map((line) => soldTaxOf(line, false))).plus('0.01')
    : sumOfPaid(lines.map((line) => line.subtotal));
  const found = moneyTargets(figures.money)
    .map((target) => target.minus(rest))
    .find((tax) => !tax.lt(0) && !tax.gt(most));
  if (found === undefined || (found.isZero() && figures.taxesIncluded)) return null;
  return spread({ shop: found, paid: found }, lines, figures.money?.inBuyerCurrency);
}

function sumOfPaid(figures: readonly Figure[]): Decimal {
  return sum(figures.map(({ paid }) => paid ?? decimal(0)));
}

function soldTaxOf({ subtotal, soldTax }: RefundedShipping, contained: boolean): Figure {
  if (soldTax === null) return nothing;
  const base = contained ? soldTax.plus(1) : decimal(1);
  const tax = (amount: Decimal) => roundCents(amount.times(soldTax).div(base));
  return { shop: tax(subtotal.shop), paid: subtotal.paid && tax(subtotal.paid) };
}

function spread(tax: Figure, lines: RefundedShipping[], onlyPaid = false): Figure[] {
  const paid =
    tax.paid &&
    shares(
      tax.paid,
      lines.map(({ subtotal }) => subtotal.paid ?? subtotal.shop),
    );
  const shop = shares(
    tax.shop,
    lines.map(({ subtotal }) => subtotal.shop),
  );
  return lines.map(({ subtotal }, i) => {
    const share = paid?.[i] ?? null;
    const converted =
      onlyPaid && share !== null && subtotal.paid !== null && !subtotal.paid.isZero()
        ? roundCents(subtotal.shop.times(share).div(subtotal.paid))
        : null;
    return { shop: converted ?? shop[i] ?? decimal(0), paid: share };
  });
}

function shares(total: Decimal, weights: readonly Decimal[]): Decimal[] {
  const whole = sum(weights);
  const divisible =
    weights.length > 1 && total.gt(0) && weights.every((weight) => !weight.lt(0)) && whole.gt(0);
  if (!divisible) return weights.map((_, i) => (i === 0 ? total : decimal(0)));
  return splitCents(
    total,
    weights.map((weight) => total.times(weight).div(whole)),
  );
}

/*
 * Σ successful transactions = Σ parts with tax − Σ discrepancy adjustments.
 * Pending money either counts as gone, or a "Refund discrepancy" states it until it arrives (public captures of 2026).
 */

function moneyTargets(money: RefundMoney | null): Decimal[] {
  if (money === null) return [];
  if (money.waiting.gt(0)) return [money.done.plus(money.waiting), money.done];
  return money.done.gt(0) ? [money.done] : [];
}

function isExplained(figures: RefundFigures, parts: Figure): boolean {
  const { paid } = plus(parts, figures.discrepancy);
  return paid !== null && moneyTargets(figures.money).some((target) => paid.eq(target));
}

type Settled = Pick<Refund, 'amount' | 'pending' | 'discrepancy' | 'cashRounding'>;

/** In the shop's currency. `parts` is null where they are unknown. */
function settleMoney(figures: RefundFigures, parts: Figure | null): Settled {
  const { money, discrepancy } = figures;
  if (money === null) return settled(null, 0, discrepancy.shop);
  if (money.inBuyerCurrency) return settleInBuyerCurrency(figures, money, parts);
  const { done, waiting } = money;
  const asStated = figures.stated === null || done.eq(figures.stated);
  const known = parts === null ? null : plus(parts, discrepancy).paid;
  const rounded = known?.minus(done) ?? zero;
  if (
    asStated &&
    known &&
    waiting.isZero() &&
    !rounded.isZero() &&
    rounded.abs().eq(figures.cashRounding.abs())
  )
    return { ...settled(known, 0, discrepancy.shop), cashRounding: writeAmount(rounded.negated()) };
  const bookedAsMissing = waiting.gt(0) && known?.eq(done) === true;
  return settled(
    asStated ? done : null,
    waiting,
    bookedAsMissing ? discrepancy.shop.plus(waiting) : discrepancy.shop,
  );
}

/** REST states transactions in the buyer's currency only. Null where part of the money is pending. */
function settleInBuyerCurrency(
  { discrepancy }: RefundFigures,
  money: RefundMoney,
  parts: Figure | null,
): Settled {
  const { done, waiting, failed } = money;
  if (done.isZero() && waiting.isZero()) return settled(decimal(0), 0, discrepancy.shop);
  if (parts === null || (done.gt(0) && waiting.gt(0)))
    return settled(done.gt(0) ? null : decimal(0), 0, discrepancy.shop);
  const all = plus(parts, discrepancy);
  if (done.isZero()) {
    const bookedAsMissing = all.paid?.isZero() ?? all.shop.isZero();
    return bookedAsMissing
      ? settled(decimal(0), parts.shop, decimal(0))
      : settled(decimal(0), all.shop, discrepancy.shop);
  }
  const isKnown = all.paid === null ? !failed : all.paid.eq(done);
  return settled(isKnown && all.shop.gt(0) ? all.shop : null, 0, discrepancy.shop);
}

function settled(amount: Decimal | null, pending: Decimal | 0, discrepancy: Decimal): Settled {
  return {
    amount: amount && writeAmount(amount),
    pending: writeAmount(decimal(pending)),
    discrepancy: writeAmount(discrepancy),
  };
}
