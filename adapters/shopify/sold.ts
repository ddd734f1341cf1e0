import { type Amount, type Decimal, decimal, roundCents, sum } from '../../src/domain/money.ts';
import { writeAmount } from './amounts.ts';
import type { Sale, SaleLine } from './shape.ts';

/** What was sold: the lines with the quantities, discounts and taxes that belong on the factura. */
export interface Sold {
  lines: SaleLine[];
  total: Amount;
  totalTax: Amount;
}

/**
 * `quantity` counts removed and returned units, `current_quantity` neither, and Shopify does not say which of
 * the two it was. The money does:
 *
 * 1. Nothing fell: the order as sold, `total_price`.
 * 2. Units fell, no money went back, and the buyer owes nothing on the smaller order: they were removed by an
 *    edit before payment, so the order as it stands, `current_total_price`. Discounts and taxes of a reduced
 *    line are its share by units.
 * 3. Units fell and money went back, or is owed back: returns. The factura is for the order as sold; the
 *    credit note does the rest. When Shopify says that less than `total_price` ever came in (an edit *and* a
 *    refund), the total is what came in: lines and total then disagree, and the order is held for a person.
 */
export function saleAsSold(sale: Sale): Sold {
  const asSold = {
    lines: sale.lines,
    total: money(sale.total),
    totalTax: money(sale.totalTax ?? taxOf(sale)),
  };
  const fell = sale.lines.some((line) => line.currentQuantity < line.quantity);
  if (!fell || sale.currentTotal === null) return asSold;
  const refunded = sale.refunds.some(gaveBack);
  const received = sale.received ?? receivedByBalance(sale);
  if (!refunded && !(received !== null && decimal(received).eq(sale.total))) return asItStands(sale);
  const short = sale.received !== null && isSettled(sale) && decimal(sale.received).lt(sale.total);
  return short ? { ...asSold, total: money(sale.received ?? sale.total) } : asSold;
}

/** Whether money went back: a removal by an edit, a restock or a transfer still pending have given nothing yet. */
function gaveBack({ amount }: Sale['refunds'][number]): boolean {
  return amount === null || decimal(amount).gt(0);
}

function isSettled(sale: Sale): boolean {
  return ['paid', 'partially_refunded', 'refunded'].includes(sale.financialStatus ?? '');
}

/** Without refunds, what came in is the current total less what is still owed. */
function receivedByBalance(sale: Sale): Decimal | null {
  if (sale.currentTotal === null || sale.outstanding === null) return null;
  return decimal(sale.currentTotal).minus(sale.outstanding);
}

function asItStands(sale: Sale): Sold {
  const lines = sale.lines.filter((line) => line.currentQuantity > 0).map(reduced);
  return {
    lines,
    total: money(sale.currentTotal ?? sale.total),
    totalTax: money(sale.currentTotalTax ?? sale.totalTax ?? taxOf({ ...sale, lines })),
  };
}

function reduced(line: SaleLine): SaleLine {
  const share = (amount: Amount) =>
    writeAmount(roundCents(decimal(amount).times(line.currentQuantity).div(line.quantity)));
  return {
    ...line,
    quantity: line.currentQuantity,
    discount: share(line.discount),
    taxes: line.taxes.map((tax) => ({ ...tax, amount: share(tax.amount) })),
    duties: line.duties.map((duty) => ({
      ...duty,
      price: share(duty.price),
      taxes: duty.taxes.map((tax) => ({ ...tax, amount: share(tax.amount) })),
    })),
  };
}

function taxOf(sale: Sale): Decimal {
  const charges = [...sale.shipping, ...sale.fees, ...sale.lines.flatMap((line) => line.duties)];
  return sum([...sale.lines, ...charges].flatMap((one) => one.taxes).map((tax) => tax.amount));
}

function money(amount: Amount | Decimal): Amount {
  return writeAmount(decimal(amount));
}
