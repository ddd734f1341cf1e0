import { type Amount, type Decimal, decimal, sum } from '../../src/domain/money.ts';
import type { Tax, Taxed } from '../../src/domain/order.ts';
import type { SaleTax } from './shape.ts';

/** Exact as long as it terminates, else 10 decimals; without trailing zeros beyond the cents. */
export function writeAmount(value: Decimal): Amount {
  const places = value.decimalPlaces();
  if (places <= 10) return value.toFixed(Math.max(2, places));
  const exact = value.toDecimalPlaces(10);
  return exact.toFixed(Math.max(2, exact.decimalPlaces()));
}

/**
 * Shopify's figures of one line or charge as net and tax. `gross` is before discounts and, in tax-inclusive
 * shops, contains the tax. The stated tax is believed to the cent and never computed anew: an empty list of
 * taxes is no tax, even in a tax-inclusive shop (exports; Shopify’s order and refund payloads).
 */
export function taxedAmounts(
  gross: Decimal,
  discount: Decimal,
  taxes: readonly SaleTax[],
  taxesIncluded: boolean,
): Pick<Taxed, 'subtotal' | 'net' | 'tax' | 'taxes'> {
  const tax = sum(taxes.map((one) => one.amount));
  const paid = discount.isZero() ? gross : gross.minus(discount);
  const net = taxesIncluded ? paid.minus(tax) : paid;
  const subtotal = taxesIncluded ? subtotalWithoutTax(gross, discount, net, taxes) : gross;
  const written = writeAmount(net);
  return {
    subtotal: subtotal === net ? written : writeAmount(subtotal),
    net: written,
    tax: writeAmount(tax),
    taxes: taxes.map(toTax),
  };
}

/** Without discounts the subtotal is the net itself, so that no rounding cent looks like a discount. */
function subtotalWithoutTax(
  gross: Decimal,
  discount: Decimal,
  net: Decimal,
  taxes: readonly SaleTax[],
): Decimal {
  if (discount.isZero()) return net;
  const taxed = gross.minus(discount);
  const untaxed = taxed.gt(0) && taxed.eq(net);
  const rates = untaxed ? [] : taxes.map((one) => one.rate);
  if (rates.every((rate) => rate !== null)) {
    const untaxedGross = gross.div(sum(rates.map(String)).plus(1));
    return untaxedGross.gt(net) ? untaxedGross : net;
  }
  return taxed.gt(0) ? gross.times(net).div(taxed) : gross;
}

/** The usual ones, said without arithmetic: every line has one. */
const percents = new Map([0, 5, 8, 12, 15].map((percent) => [percent / 100, String(percent)]));

function toTax(tax: SaleTax): Tax {
  return {
    title: tax.title.trim(),
    rate: tax.rate === null ? null : (percents.get(tax.rate) ?? decimal(tax.rate).times(100).toString()),
    amount: /^\d+\.\d\d$/.test(tax.amount) ? tax.amount : writeAmount(decimal(tax.amount)),
    // Shopify gives no id to a rate; rules go by title and rate.
    rateId: null,
  };
}
