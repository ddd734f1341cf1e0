import { decode } from 'html-entities';
import { z } from 'zod';
import { id, idOrNone } from '../../src/domain/loose.ts';
import { freeText, word } from '../../src/domain/text.ts';

const named = z.array(z.object({ name: freeText, slug: word }));

/** Of `GET products?include=…`: what orders do not carry of their products. */
export const productsAnswer = z.array(z.object({ id, tags: named, categories: named }));

/** Tags and categories by product id; each may be named by its slug or as people see it. */
export type ProductDetails = ReadonlyMap<string, { tags: string[]; collections: string[] }>;

const names = (list: z.output<typeof named>) => list.flatMap(({ name, slug }) => [slug, decode(name)]);

export function readProducts(products: z.output<typeof productsAnswer>): ProductDetails {
  return new Map(
    products.map(({ id, tags, categories }) => [id, { tags: names(tags), collections: names(categories) }]),
  );
}

/** The products of an order's lines; one page of the API holds a hundred. */
export function productIds(order: unknown): string[][] {
  const read = z.object({
    line_items: z.array(z.object({ product_id: idOrNone.catch(null) })),
  });
  const { line_items: lines = [] } = read.safeParse(order).data ?? {};
  const ids = [...new Set(lines.flatMap(({ product_id }) => product_id ?? []))];
  return Array.from({ length: Math.ceil(ids.length / 100) }, (_, page) =>
    ids.slice(page * 100, page * 100 + 100),
  );
}
