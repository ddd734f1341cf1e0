import type { Clock } from '../../../src/domain/clock.ts';

/** A REST-shaped order as webhooks carry it. */
export type RestOrder = Record<string, unknown> & { id: number | string };

export interface StoredMetafield {
  /** As Shopify resolves `$app:` names: app--<app id>--<name>. */
  namespace: string;
  key: string;
  type: string;
  value: string;
}

export interface StoredOrder {
  id: string;
  rest: RestOrder;
  tags: string[];
  metafields: StoredMetafield[];
  updatedAt: string;
}

export interface StoredDefinition {
  type: string;
  pinnedPosition: number | null;
  customerAccount: string;
}

export interface ShopStore {
  order(id: string): StoredOrder | undefined;
  orders(): Iterable<StoredOrder>;
  put(order: unknown): void;
  remove(id: string): void;
  /** Every write moves `updated_at`, as in Shopify. */
  touch(order: StoredOrder): void;
  /** Our metafield definitions of orders, by key. */
  definitions: Map<string, StoredDefinition>;
  /** How many definitions of orders the merchant and other apps have pinned. */
  pinnedByOthers: number;
}

export function openStore(orders: readonly unknown[], clock: Clock): ShopStore {
  const stored = new Map<string, StoredOrder>();
  const store: ShopStore = {
    order: (id) => stored.get(id),
    orders: () => stored.values(),
    put(order) {
      const rest = structuredClone(order) as RestOrder;
      const id = exactId(rest);
      const before = stored.get(id);
      stored.set(id, {
        id,
        rest,
        tags: before?.tags ?? splitTags(rest.tags),
        metafields: before?.metafields ?? [],
        updatedAt: String(rest.updated_at ?? clock.now().toISOString()),
      });
    },
    remove: (id) => void stored.delete(id),
    touch(order) {
      order.updatedAt = clock.now().toISOString();
    },
    definitions: new Map(),
    pinnedByOthers: 0,
  };
  for (const order of orders) store.put(order);
  return store;
}

/** JSON numbers lose digits above 2^53; the text form does not. */
export function exactId(object: { id?: unknown; admin_graphql_api_id?: unknown }): string {
  return /\/(\d+)$/.exec(String(object.admin_graphql_api_id ?? ''))?.[1] ?? String(object.id);
}

function splitTags(tags: unknown): string[] {
  return String(tags ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
}
