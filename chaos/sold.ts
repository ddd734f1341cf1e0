import type { Sale } from './sales.ts';

/** What a shop sold and gave back: what the documents are held against. Amounts are decimal strings of USD. */
export interface Sold {
  store: number;
  platform: 'woocommerce' | 'shopify';
  /** The shop's own identity. */
  shop: string;
  id: string;
  total: string;
  buyer: Sale['buyer']['kind'];
  refunds: { id: string; amount: string }[];
}
