import { type Amount, decimal, sum } from '../../src/domain/money.ts';
import type { Charge, Line } from '../../src/domain/order.ts';
import { taxedAmounts, writeAmount } from './amounts.ts';
import type { Sale, SaleCharge, SaleLine } from './shape.ts';
import type { Sold } from './sold.ts';

/** Lines and charges of what was sold. A tip is a line in REST and may be only a sum in GraphQL. */
export function readItems(sale: Sale, sold: Sold): { lines: Line[]; charges: Charge[] } {
  const lines = markTip(sold.lines, sale.tip).filter((line) => line.quantity > 0);
  const lonelyTip = decimal(sale.tip).gt(0) && !lines.some((line) => line.tip);
  const duties = sale.dutiesIncluded ? [] : sold.lines.flatMap((line) => line.duties);
  return {
    lines: lines.map((line) => toLine(line, sale.taxesIncluded)),
    charges: [
      ...sale.shipping.map((charge) => toCharge(charge, 'shipping', sale.taxesIncluded)),
      ...sale.fees.map((charge) => toCharge(charge, 'fee', sale.taxesIncluded)),
      // Duties never include the taxes on them.
      ...duties.map((charge) => toCharge(charge, 'duty', false)),
      ...(lonelyTip ? [toCharge(tipCharge(sale.tip), 'tip', false)] : []),
    ],
  };
}

/** GraphQL does not mark the tip line; it is the untaxed, unshipped line of exactly the tip's amount. */
function markTip(lines: SaleLine[], tip: Amount): SaleLine[] {
  if (decimal(tip).isZero() || lines.some((line) => line.tip)) return lines;
  const found = lines.find(
    (line) =>
      /^(tip|propina)$/i.test(line.name.trim()) &&
      line.taxes.length === 0 &&
      line.requiresShipping !== true &&
      decimal(line.unitPrice).times(line.quantity).minus(line.discount).eq(tip),
  );
  return lines.map((line) => (line === found ? { ...line, tip: true } : line));
}

function tipCharge(tip: Amount): SaleCharge {
  return { id: 'tip', name: 'Propina', price: tip, discount: '0.00', taxes: [] };
}

function toLine(line: SaleLine, taxesIncluded: boolean): Line {
  const gross = decimal(line.unitPrice).times(line.quantity);
  return {
    id: line.id,
    kind: line.tip ? 'tip' : line.giftCard ? 'gift-card' : 'product',
    sku: line.sku?.trim() || null,
    name: line.name.trim(),
    quantity: decimal(line.quantity).toFixed(),
    ...taxedAmounts(gross, decimal(line.discount), line.taxes, taxesIncluded),
    taxClass: null,
    taxable: line.taxable,
    service: line.requiresShipping === null ? null : !line.requiresShipping,
    productId: line.productId,
    tags: line.tags,
    collections: line.collections,
    // Names that begin with "_" are the shop's own plumbing, hidden from buyers.
    attributes: [
      ...(line.variant ? [{ name: 'Variante', value: line.variant }] : []),
      ...line.attributes.filter(({ name, value }) => !name.startsWith('_') && value !== ''),
    ],
  };
}

function toCharge(charge: SaleCharge, kind: Charge['kind'], taxesIncluded: boolean): Charge {
  const amounts = taxedAmounts(decimal(charge.price), decimal(charge.discount), charge.taxes, taxesIncluded);
  return { id: charge.id, kind, name: charge.name.trim(), ...amounts, taxClass: null, taxable: null };
}

/** Σ (net + tax) of lines and charges: must be the order's total. */
export function sumOfItems(order: { lines: Line[]; charges: Charge[] }): Amount {
  return writeAmount(sum([...order.lines, ...order.charges].flatMap((item) => [item.net, item.tax])));
}
