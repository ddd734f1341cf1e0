import {
  type Amount,
  type Decimal,
  decimal,
  roundCents,
  splitCents,
  sum,
} from '../../../src/domain/money.ts';
import type { Refund, RefundPart } from '../../../src/domain/refund.ts';
import { writeAmount } from '../amounts.ts';
import { instant } from '../instant.ts';
import {
  type Figure,
  type FigurePart,
  minus,
  nothing,
  plus,
  type RefundedLine,
  type RefundedShipping,
  type RefundFigures,
  type RefundMoney,
  sumOfParts,
} from './figures.ts';

/**
 * The one road from Shopify's figures to a Refund, whichever API they came from. Amounts are Shopify's own:
 * where they contradict each other they are left as they are, and whoever plans by them holds the refund.
 * @throws PayloadError when its instant cannot be read.
 */
export function toRefund(figures: RefundFigures): Refund {
  const parts = partsOf(figures);
  return {
    id: figures.id,
    at: figures.at === null ? null : instant(figures.at),
    reason: figures.note?.trim() || null,
    ...settleMoney(figures, parts && sumOfParts(parts)),
    parts: parts?.map(write) ?? null,
    ...balancesOf(figures),
  };
}

function balancesOf({ money }: RefundFigures): Pick<Refund, 'toBalances'> {
  const balances = money?.toBalances ?? [];
  if (balances.length === 0) return {};
  return { toBalances: balances.map(({ gateway, amount }) => ({ gateway, amount: writeAmount(amount) })) };
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

/** The subtotal contains the tax exactly where the order's prices do (real captures of both). */
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
 * The shipping a refund gave back, once. Its lines are the truth and the adjustments of kind shipping_refund the
 * same money again; where only adjustments exist (before 2024-10, or reversed), their signed sum is. `others` is
 * the sum of the refund's other parts.
 *
 * Lines of tax-inclusive shops contain the tax as every price there, adjustments exclude it. No capture proves
 * either of a tax-inclusive shop, so the other reading is taken where only it explains the money.
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

/**
 * The tax of each line, from the best source there is: GraphQL states it; REST only through the adjustments that
 * repeat the shipping; else it is what remains of the money after everything else; else what the sold shipping
 * line's own ratio says.
 */
function taxesOf(figures: RefundFigures, lines: RefundedShipping[], others: Figure): Figure[] {
  const stated = lines.map(({ tax }) => tax);
  if (stated.every((tax) => tax !== null)) return stated;
  const adjusted = figures.shippingAdjusted?.tax;
  if (adjusted) return spread(adjusted, lines);
  return taxesByMoney(figures, lines, others) ?? lines.map((line) => soldTaxOf(line, figures.taxesIncluded));
}

/**
 * What remains of the money, if it can be tax: not below zero, and never more than the shipping line was sold
 * with (a cent for rounding). Nothing left over in a tax-inclusive shop only says that the tax is inside.
 */
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
  return spread({ shop: found, paid: found }, lines, figures.money?.foreign);
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

/** Splits a tax over the lines as their subtotals lie; `onlyPaid`: it is known in the buyer's currency only. */
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
 * Shopify's books (Shopify’s order and refund payloads, "identity"):
 *
 *   Σ successful transactions = Σ parts with tax − Σ discrepancy adjustments
 *
 * Money still on its way is either counted as gone (no adjustment) or booked as missing: "Refund discrepancy" of
 * its amount, undone by "Pending refund discrepancy" when it arrives (seen in public captures of 2026).
 */

/** What the parts and the discrepancy must come to, likeliest first; empty when no money moved. */
function moneyTargets(money: RefundMoney | null): Decimal[] {
  if (money === null) return [];
  if (money.waiting.gt(0)) return [money.done.plus(money.waiting), money.done];
  return money.done.gt(0) ? [money.done] : [];
}

/** Whether parts of this sum explain the money that moved, in the currency it moved in. */
function isExplained(figures: RefundFigures, parts: Figure): boolean {
  const { paid } = plus(parts, figures.discrepancy);
  return paid !== null && moneyTargets(figures.money).some((target) => paid.eq(target));
}

const zero = decimal(0);

type Settled = Pick<Refund, 'amount' | 'pending' | 'discrepancy' | 'cashRounding'>;

/** What went back and what is on its way, in the shop's currency. `parts` is null where they are not told. */
function settleMoney(figures: RefundFigures, parts: Figure | null): Settled {
  const { money, discrepancy } = figures;
  if (money === null) return settled(null, 0, discrepancy.shop);
  if (money.foreign) return settleForeign(figures, money, parts);
  const { done, waiting } = money;
  const asStated = figures.stated === null || done.eq(figures.stated);
  const known = parts === null ? null : plus(parts, discrepancy).paid;
  const rounded = known?.minus(done) ?? zero;
  // Cash that was rounded is what the parts say, and the rest is the till's.
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

/**
 * REST tells transactions in the buyer's currency only. In the shop's the amount is what the parts and the
 * discrepancy say, if in the buyer's they come to the money exactly; where the buyer's figures are not told, if
 * all of the money arrived. Money partly on its way cannot be told apart.
 */
function settleForeign({ discrepancy }: RefundFigures, money: RefundMoney, parts: Figure | null): Settled {
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
  const proven = all.paid === null ? !failed : all.paid.eq(done);
  return settled(proven && all.shop.gt(0) ? all.shop : null, 0, discrepancy.shop);
}

function settled(amount: Decimal | null, pending: Decimal | 0, discrepancy: Decimal): Settled {
  const write = (value: Decimal): Amount => writeAmount(value);
  return {
    amount: amount && write(amount),
    pending: write(decimal(pending)),
    discrepancy: write(discrepancy),
  };
}
