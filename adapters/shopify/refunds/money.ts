import { type Amount, type Decimal, decimal } from '../../../src/domain/money.ts';
import type { Refund } from '../../../src/domain/refund.ts';
import { writeAmount } from '../amounts.ts';
import { type Figure, plus, type RefundFigures, type RefundMoney } from './figures.ts';

/*
 * Shopify's books (Shopify’s order and refund payloads, "identity"):
 *
 *   Σ successful transactions = Σ parts with tax − Σ discrepancy adjustments
 *
 * Money still on its way is either counted as gone (no adjustment) or booked as missing: "Refund discrepancy" of
 * its amount, undone by "Pending refund discrepancy" when it arrives (seen in public captures of 2026).
 */

/** What the parts and the discrepancy must come to, likeliest first; empty when no money moved. */
export function moneyTargets(money: RefundMoney | null): Decimal[] {
  if (money === null) return [];
  if (money.waiting.gt(0)) return [money.done.plus(money.waiting), money.done];
  return money.done.gt(0) ? [money.done] : [];
}

/** Whether parts of this sum explain the money that moved, in the currency it moved in. */
export function isExplained(figures: RefundFigures, parts: Figure): boolean {
  const { paid } = plus(parts, figures.discrepancy);
  return paid !== null && moneyTargets(figures.money).some((target) => paid.eq(target));
}

const zero = decimal(0);

type Settled = Pick<Refund, 'amount' | 'pending' | 'discrepancy' | 'cashRounding'>;

/** What went back and what is on its way, in the shop's currency. `parts` is null where they are not told. */
export function settleMoney(figures: RefundFigures, parts: Figure | null): Settled {
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
