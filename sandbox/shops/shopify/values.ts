/* Small shapes of the Admin GraphQL API, made from REST's. */

export type Bag = Record<string, unknown>;
export const bag = (value: unknown): Bag =>
  typeof value === 'object' && value !== null ? (value as Bag) : {};
export const bags = (value: unknown): Bag[] => (Array.isArray(value) ? value.map(bag) : []);
export const orNull = (value: unknown) => value ?? null;

export type MoneyBag = (set: unknown, plain: unknown) => Bag;

export function moneyBag(currency: string, shown: string): MoneyBag {
  return (set, plain) => {
    const shop = bag(bag(set).shop_money).amount ?? plain;
    const seen = bag(bag(set).presentment_money).amount ?? shop;
    return {
      shopMoney: { amount: trimmed(shop), currencyCode: currency },
      presentmentMoney: { amount: trimmed(seen), currencyCode: shown },
    };
  };
}

/** Shopify's Decimal: "34.50" is "34.5", "10.00" is "10.0". */
export function trimmed(amount: unknown): string {
  const text = String(amount ?? '0.00');
  return text.includes('.') ? text.replace(/(?<!0)0+$/, '').replace(/\.$/, '.0') : `${text}.0`;
}

export function utc(text: unknown): string | null {
  return text ? new Date(String(text)).toISOString().replace('.000Z', 'Z') : null;
}

export interface PageAsked {
  first?: number;
  after?: string | null;
}

/** A page of a connection; cursors are places in the list. */
export function paged(nodes: unknown[], { first = 25, after }: PageAsked): Bag {
  const start = Number(after ?? 0);
  const end = Math.min(start + first, nodes.length);
  const endCursor = end > start ? String(end) : null;
  return { nodes: nodes.slice(start, end), pageInfo: { hasNextPage: end < nodes.length, endCursor } };
}

export const connection = (nodes: unknown[]) => ({
  nodes,
  pageInfo: { hasNextPage: false, endCursor: null },
});
