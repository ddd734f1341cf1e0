import { z } from 'zod';
import type { CatalogItem, ListPage } from '../../src/domain/listing.ts';
import { idOrNone } from '../../src/domain/loose.ts';
import { decimal, sum, toAmount } from '../../src/domain/money.ts';
import type { Tax } from '../../src/domain/order.ts';
import type { Api, CatalogRow, NamedTerms, ProductRow, TaxRate, Variation } from './api.ts';
import { isLastPage } from './client.ts';
import { productKind } from './plugins.ts';
import type { Connection } from './settings.ts';

const defaultPrice = '10.00';

/** Per priority of a tax class WooCommerce applies the first rate (class-wc-tax.php); the buyer is in Ecuador. */
export function openCatalog(api: Api, { productDetails }: Connection) {
  let rates: Promise<TaxRate[]> | undefined;
  return async (cursor: string | null): Promise<ListPage<CatalogItem>> => {
    const number = cursor === null ? 1 : Number(cursor);
    rates ??= api.taxRates();
    const known = await rates;
    const page = await api.catalog(number);
    const details = readProducts(productDetails ? page.rows : []);
    const items = page.rows.map(async (product) => {
      const sold = product.type.startsWith('variable') ? await variationsOf(api, product) : [product];
      return sold.map((one) => toItem(one, known, details.get(product.id)));
    });
    const next = isLastPage(page, number) ? null : String(number + 1);
    return { rows: (await Promise.all(items)).flat(), next };
  };
}

type Sold = CatalogRow & { variant?: string };

async function variationsOf(api: Api, product: CatalogRow): Promise<Sold[]> {
  const all = await api.variations(product.id);
  return all.filter(({ status }) => status === 'publish').map((one) => readVariation(product, one));
}

/** WooCommerce's rule for names of variations (class-wc-product-variation-data-store-cpt.php). */
function readVariation(product: CatalogRow, { attributes, ...own }: Variation): Sold {
  const options = attributes.map(({ option }) => option).join(', ');
  const hasLongName = attributes.some(({ name, slug = name.trim() }) => /[-\s]/.test(slug));
  const isNamed = attributes.length < 3 && !(attributes.length > 1 && hasLongName);
  if (options === '') return { ...product, ...own };
  return isNamed
    ? { ...product, ...own, name: `${product.name} - ${options}` }
    : { ...product, ...own, variant: options };
}

function toItem(row: Sold, rates: readonly TaxRate[], details = noDetails): CatalogItem {
  const net = /^\d+(\.\d+)?$/.test(row.price) && Number(row.price) > 0 ? toAmount(row.price) : defaultPrice;
  // An order line of an untaxed product names the standard class (measured on WooCommerce 11.0.1).
  const taxed = row.tax_status === 'taxable';
  const taxes = taxed ? ratesOf(row.tax_class, rates).map((rate) => toTax(rate, net)) : [];
  return {
    taxesKnown: true,
    ...(row.variant !== undefined && { variant: row.variant }),
    line: {
      id: row.id,
      ...productKind(row.type),
      sku: row.sku.trim() || null,
      name: row.name,
      quantity: '1',
      subtotal: net,
      net,
      tax: toAmount(sum(taxes.map(({ amount }) => amount))),
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

function ratesOf(taxClass: string, rates: readonly TaxRate[]): TaxRate[] {
  const own = taxClass === '' ? 'standard' : taxClass;
  const fits = rates.filter((rate) => rate.class === own && ['', 'EC'].includes(rate.country));
  // A rate of the country goes before one of every country.
  const sorted = fits.toSorted((a, b) => b.country.length - a.country.length);
  return [...new Map(sorted.toReversed().map((rate) => [rate.priority, rate])).values()];
}

function toTax({ id, rate, name, country }: TaxRate, net: string): Tax {
  const percent = decimal(rate).toFixed();
  const amount = toAmount(decimal(net).times(rate).div(100));
  return { title: name, rate: percent, amount, rateId: id, ...(country && { country }) };
}

export type ProductDetails = ReadonlyMap<string, { tags: string[]; collections: string[] }>;
export const noDetails: { tags: string[]; collections: string[] } = { tags: [], collections: [] };

const names = (terms: NamedTerms) => terms.flatMap(({ name, slug }) => [slug, name]);

export function readProducts(products: readonly ProductRow[]): ProductDetails {
  return new Map(
    products.map(({ id, tags, categories }) => [id, { tags: names(tags), collections: names(categories) }]),
  );
}

const productLines = z.object({ line_items: z.array(z.object({ product_id: idOrNone.catch(null) })) });

export function productIds(order: unknown): string[][] {
  const lines = productLines.safeParse(order).data?.line_items ?? [];
  const ids = [...new Set(lines.flatMap(({ product_id }) => product_id ?? []))];
  return Array.from({ length: Math.ceil(ids.length / 100) }, (_, page) =>
    ids.slice(page * 100, page * 100 + 100),
  );
}
