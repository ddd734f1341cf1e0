import { definitionRoot, type UserError } from './definitions.ts';
import { product, resolveNamespace, toGraphqlOrder } from './graphql-order.ts';
import { refundGid, toGraphqlRefund } from './graphql-refund.ts';
import type { Bag } from './graphql-types.ts';
import { orderLists } from './order-list.ts';
import { type StoredVariant, variantPage } from './product-list.ts';
import type { ShopStore, StoredOrder } from './store.ts';
import { bags } from './values.ts';

interface MetafieldInput {
  ownerId: string;
  namespace: string;
  key: string;
  type?: string;
  value: string;
}

/** The queries and mutations the shop answers; anything else is null. */
export function rootOf(
  store: ShopStore,
  withheld: ReadonlySet<string>,
  variants: readonly StoredVariant[] = [],
): Bag {
  const find = (gid: unknown): StoredOrder | undefined =>
    store.order(/^gid:\/\/shopify\/Order\/(\d+)$/.exec(String(gid))?.[1] ?? '');

  /** Runs a write on an order, or answers that there is none. */
  function onOrder(gid: string, write: (order: StoredOrder) => void): UserError[] {
    const order = find(gid);
    if (!order) return [{ field: ['id'], message: 'Order does not exist' }];
    write(order);
    store.touch(order);
    return [];
  }

  return {
    order({ id }: { id: string }) {
      const order = find(id);
      return order ? toGraphqlOrder(order, withheld) : null;
    },

    refund({ id }: { id: string }) {
      for (const order of store.orders())
        for (const refund of bags(order.rest.refunds))
          if (refundGid(refund) === id) return toGraphqlRefund(order, refund, withheld);
      return null;
    },

    product({ id }: { id: string }) {
      const reported = [...store.orders()]
        .flatMap(({ rest }) => bags(rest.line_items))
        .map((line) => product(line.product));
      return reported.find((one) => one?.id === id) ?? null;
    },

    ...orderLists(store, withheld),

    productVariants: ({ first, after }: { first: number; after?: string | null }) =>
      variantPage(variants, first, after ?? null),

    ...definitionRoot(store),

    /** All or nothing. */
    metafieldsSet({ metafields }: { metafields: MetafieldInput[] }) {
      const userErrors = metafields.flatMap((input, i) => [
        ...(find(input.ownerId) ? [] : [invalid(i, 'ownerId', 'Owner does not exist')]),
        ...(isValid(input) ? [] : [invalid(i, 'value', `Value is invalid for ${input.type}`)]),
      ]);
      if (metafields.length > 25) userErrors.push(invalid(0, 'metafields', 'Exceeded the maximum of 25'));
      if (userErrors.length > 0) return { userErrors };
      for (const input of metafields) onOrder(input.ownerId, (order) => setMetafield(order, input));
      return { userErrors: [] };
    },

    metafieldsDelete({ metafields }: { metafields: Omit<MetafieldInput, 'value'>[] }) {
      for (const { ownerId, namespace, key } of metafields)
        onOrder(ownerId, (order) => {
          const gone = resolveNamespace(namespace);
          order.metafields = order.metafields.filter((one) => one.namespace !== gone || one.key !== key);
        });
      return { userErrors: [] };
    },

    tagsAdd({ id, tags }: { id: string; tags: string[] }) {
      const add = (order: StoredOrder) => {
        order.tags = [...new Set([...order.tags, ...tags])];
      };
      return { userErrors: onOrder(id, add) };
    },

    tagsRemove({ id, tags }: { id: string; tags: string[] }) {
      const remove = (order: StoredOrder) => {
        order.tags = order.tags.filter((tag) => !tags.includes(tag));
      };
      return { userErrors: onOrder(id, remove) };
    },
  };
}

function invalid(index: number, field: string, message: string): UserError {
  return { field: ['metafields', String(index), field], message, code: 'INVALID_VALUE' };
}

function setMetafield(order: StoredOrder, input: MetafieldInput): void {
  const namespace = resolveNamespace(input.namespace);
  const type = input.type ?? 'single_line_text_field';
  const field = { namespace, key: input.key, type, value: stored(input) };
  const at = order.metafields.findIndex((one) => one.namespace === namespace && one.key === input.key);
  if (at < 0) order.metafields.push(field);
  else order.metafields[at] = field;
}

/** Shopify keeps instants as +00:00. */
function stored({ type, value }: MetafieldInput): string {
  return type === 'date_time' ? `${new Date(value).toISOString().slice(0, 19)}+00:00` : value;
}

function isValid({ type, value }: MetafieldInput): boolean {
  if (value === '') return false;
  if (type === 'url') return /^https?:\/\//.test(value) && value.length <= 2048;
  if (type === 'date_time') return !Number.isNaN(Date.parse(value));
  if (type === 'single_line_text_field') return !value.includes('\n');
  if (type !== 'json') return true;
  try {
    return JSON.parse(value) !== undefined;
  } catch {
    return false;
  }
}
