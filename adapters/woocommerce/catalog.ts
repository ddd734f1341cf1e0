import { decode } from 'html-entities';
import { z } from 'zod';
import type { CatalogItem } from '../../src/domain/catalog.ts';
import type { ListPage } from '../../src/domain/listing.ts';
import { id } from '../../src/domain/loose.ts';
import { decimal, toAmount } from '../../src/domain/money.ts';
import type { Tax } from '../../src/domain/order.ts';
import { amountText, freeText, word } from '../../src/domain/text.ts';
import type { Api } from './api.ts';
import { pageSize } from './pages.ts';
import { readProducts } from './products.ts';
import type { Connection } from './settings.ts';
import { hasVariations, readVariation, type Sold } from './variations.ts';

const named = z.array(z.object({ name: freeText, slug: word }));

/** Of `GET products`: what decides the taxes of a line. */
export const catalogAnswer = z.array(
  z.object({
    id,
    type: word,
    name: freeText,
    sku: freeText,
    /** Empty where none is set. */
    price: amountText,
    tax_status: word,
    tax_class: word,
    tags: named,
    categories: named,
  }),
);
export type CatalogRow = z.output<typeof catalogAnswer>[number];

/** A row of `GET taxes`: a rate of the shop; an empty country is every one. */
export const taxRateAnswer = z.object({
  id,
  country: word,
  rate: amountText,
  name: freeText,
  priority: z.number(),
  class: word,
});
export type TaxRate = z.output<typeof taxRateAnswer>;

/** A price to reckon with where the product has none. */
const somePrice = '10.00';

/**
 * One page of what the shop sells, each as a line bought from Ecuador: the first rate of every priority of its class,
 * as WooCommerce finds them (class-wc-tax.php). A product with variations is sold as each of them.
 */
export function openCatalog(api: Api, { productDetails }: Connection) {
  let rates: Promise<TaxRate[]> | undefined;
  return async (cursor: string | null): Promise<ListPage<CatalogItem>> => {
    const page = cursor === null ? 1 : Number(cursor);
    rates ??= api.taxRates();
    const [known, { rows, pages }] = [await rates, await api.catalog(page)];
    const isLast = pages === null ? rows.length < pageSize : page >= pages;
    const details = readProducts(productDetails ? rows : []);
    const sold = rows.map(async (product) => {
      const things = hasVariations(product) ? await variationsOf(api, product) : [product];
      return things.map((thing) => toItem(thing, known, details.get(product.id)));
    });
    return { rows: (await Promise.all(sold)).flat(), next: isLast ? null : String(page + 1) };
  };
}

/** What a shop does not publish of them it does not sell. */
async function variationsOf(api: Api, product: CatalogRow): Promise<Sold[]> {
  const all = await api.variations(product.id);
  return all.filter(({ status }) => status === 'publish').map((one) => readVariation(product, one));
}

function toItem(
  row: Sold,
  rates: readonly TaxRate[],
  details: { tags: string[]; collections: string[] } = { tags: [], collections: [] },
): CatalogItem {
  const net = /^\d+(\.\d+)?$/.test(row.price) && Number(row.price) > 0 ? toAmount(row.price) : somePrice;
  // An order line of an untaxed product names the standard class (measured on WooCommerce 11.0.1).
  const taxed = row.tax_status === 'taxable';
  const taxes = taxed ? taxesOf(row.tax_class, rates).map((rate) => toTax(rate, net)) : [];
  const tax = taxes.reduce((sum, one) => sum.plus(one.amount), decimal(0));
  return {
    taxesKnown: true,
    ...(row.variant !== undefined && { variant: decode(row.variant) }),
    line: {
      id: row.id,
      kind: 'product',
      sku: row.sku.trim() || null,
      name: decode(row.name),
      quantity: '1',
      subtotal: net,
      net,
      tax: toAmount(tax),
      taxes,
      taxClass: taxed ? row.tax_class : '',
      taxable: null,
      service: null,
      attributes: [],
      productId: row.id,
      ...details,
    },
  };
}

function taxesOf(taxClass: string, rates: readonly TaxRate[]): TaxRate[] {
  const own = taxClass === '' ? 'standard' : taxClass;
  const fits = rates.filter((rate) => rate.class === own && ['', 'EC'].includes(rate.country));
  // A rate of the country goes before one of every country.
  const sorted = fits.toSorted((a, b) => b.country.length - a.country.length);
  return [...new Map(sorted.toReversed().map((rate) => [rate.priority, rate])).values()];
}

function toTax({ id, rate, name, country }: TaxRate, net: string): Tax {
  const percent = decimal(rate).toFixed();
  const amount = toAmount(decimal(net).times(rate).div(100));
  return { title: decode(name), rate: percent, amount, rateId: id, ...(country && { country }) };
}
