import type { Refund, RefundPart } from '../../../src/domain/refund.ts';
import { writeAmount } from '../amounts.ts';
import { instant } from '../instant.ts';
import {
  type FigurePart,
  minus,
  nothing,
  type RefundedLine,
  type RefundFigures,
  sumOfParts,
} from './figures.ts';
import { settleMoney } from './money.ts';
import { shippingParts } from './shipping.ts';

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
