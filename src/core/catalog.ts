import type { Line } from './order.ts';

/** Something a shop sells, as the line one unit of it would be in an order of today. */
export interface CatalogItem {
  line: Line;
  /** Whether the shop says which taxes it would charge; false where it only says whether any. */
  taxesKnown: boolean;
}
