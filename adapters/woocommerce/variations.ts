import { z } from 'zod';
import { id } from '../../src/domain/loose.ts';
import { amountText, freeText, word } from '../../src/domain/text.ts';
import type { CatalogRow } from './catalog.ts';

/**
 * A row of `GET products/{id}/variations`. `tax_class` is the class that counts, the product's where the variation has
 * none of its own, and a missing SKU is the product's (class-wc-product-variation.php).
 */
export const variationAnswer = z.object({
  id,
  status: word,
  sku: freeText,
  price: amountText,
  tax_status: word,
  tax_class: word,
  /** `slug` is told by newer shops only. */
  attributes: z.array(z.object({ name: freeText, slug: word.optional(), option: freeText })),
});
export type Variation = z.output<typeof variationAnswer>;

/** A product or one of its variations; `variant` are the options its name leaves out. */
export type Sold = CatalogRow & { variant?: string };

/** Whether nobody buys the product itself, only one of its variations; plugins have kinds of their own. */
export const hasVariations = ({ type }: CatalogRow): boolean => type.startsWith('variable');

/**
 * A variation for sale under the name its order line gets: with its options, unless these are three or more, or one
 * of several has a name of several words (class-wc-product-variation-data-store-cpt.php).
 */
export function readVariation(product: CatalogRow, variation: Variation): Sold {
  const { attributes, ...own } = variation;
  const options = attributes.map(({ option }) => option).join(', ');
  const named = attributes.length < 3 && !(attributes.length > 1 && attributes.some(hasSeveralWords));
  if (options === '' || !named) return { ...product, ...own, ...(options !== '' && { variant: options }) };
  return { ...product, ...own, name: `${product.name} - ${options}` };
}

const hasSeveralWords = ({ name, slug = name.trim() }: Variation['attributes'][number]): boolean =>
  /[-\s]/.test(slug);
