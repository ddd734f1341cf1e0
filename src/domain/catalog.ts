import type { Line } from './order.ts';

/** Something a shop sells, as the line one unit of it would be in an order of today. */
export interface CatalogItem {
  line: Line;
  /** Which of several of one product, where the line's name does not say it. */
  variant?: string;
  /** Whether the shop says which taxes it would charge; false where it only says whether any. */
  taxesKnown: boolean;
}
