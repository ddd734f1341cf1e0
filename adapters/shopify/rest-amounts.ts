import type { z } from 'zod';
import { type Amount, type Decimal, decimal, sum } from '../../src/domain/money.ts';
import { writeAmount } from './amounts.ts';
import { exactId } from './ids.ts';
import type { allocations, moneySet, ShippingLine, taxLines } from './payload-values.ts';
import type { SaleCharge, SaleTax } from './shape.ts';

type MoneySet = z.output<typeof moneySet>;

export function shopMoney(set: MoneySet, plain: Amount): Amount {
  return set?.shop_money?.amount ?? plain;
}

export function shopMoneyOrNull(set: MoneySet, plain: Amount | null | undefined): Amount | null {
  return set?.shop_money?.amount ?? plain ?? null;
}

export function toTaxes(lines: z.output<typeof taxLines>): SaleTax[] {
  return lines.map((tax) => ({
    title: tax.title ?? '',
    rate: tax.rate ?? null,
    amount: shopMoney(tax.price_set, tax.price ?? '0.00'),
  }));
}

/** `total_discount` is "0.00" for automatic and order-level discounts; only allocations tell the truth. */
export function allocated(list: z.output<typeof allocations>): Decimal {
  return sum(list.map((one) => shopMoney(one.amount_set, one.amount ?? '0.00')));
}

/** `discounted_price` left out cart-level discounts before 2024-07, so the lower of the two counts. */
export function toShipping(line: z.output<typeof ShippingLine>): SaleCharge {
  const price = decimal(shopMoney(line.price_set, line.price));
  const byAllocations = price.minus(allocated(line.discount_allocations));
  const stated = shopMoneyOrNull(line.discounted_price_set, line.discounted_price);
  const charged =
    stated === null ? byAllocations : byAllocations.lt(stated) ? byAllocations : decimal(stated);
  return {
    id: line.id === null ? 'shipping' : exactId({ id: line.id }),
    name: line.title ?? '',
    price: writeAmount(price),
    discount: writeAmount(price.minus(charged)),
    taxes: toTaxes(line.tax_lines),
  };
}
