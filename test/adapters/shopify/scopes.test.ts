import {
  type GraphQLOutputType,
  getNamedType,
  isObjectType,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { toShopError } from '../../../adapters/shopify/errors.ts';
import * as queries from '../../../adapters/shopify/queries.ts';
import { requiredScopes } from '../../../adapters/shopify/settings.ts';
import { adminSchema } from '../../support/admin-schema.ts';
import { hasShared, readShared } from '../../support/shared.ts';

const { catalogQuery, collectionsQuery, ...others } = queries;
/** What an app for documents sends; the catalogue is read by who asks for it, collections with `productDetails`. */
const always = Object.fromEntries(
  Object.entries(others).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  ),
);
const documents = { ...always, collectionsQuery };

/**
 * The scope of each field that shows or changes what is protected (the schema's access scopes of API 2026-10; for
 * mutations and products shopify.dev). Fields not named here need none beside those of their object. Names with a
 * capital are types of fragments.
 */
const scopeOf = new Map(
  Object.entries({
    read_orders: [
      ...['order', 'orders', 'Order', 'lineItems', 'lineItem', 'LineItem', 'transactions', 'additionalFees'],
      ...['duties', 'originalDuty', 'refund', 'refunds', 'refundLineItems', 'refundShippingLines'],
      ...['orderAdjustments', 'totalCashRoundingAdjustment'],
    ],
    read_customers: [
      ...['customer', 'defaultEmailAddress', 'defaultPhoneNumber', 'company', 'location', 'taxSettings'],
    ],
    read_products: ['product', 'collections'],
    write_orders: ['metafieldsSet', 'metafieldsDelete', 'tagsAdd', 'tagsRemove'],
  }).flatMap(([scope, names]) => names.map((name) => [name, scope] as const)),
);

/** The scopes of the names in these documents; parts left out by `@include(if: $products)` do not count. */
function scopesOf(texts: readonly string[], products: boolean): string[] {
  const found = new Set<string>();
  const add = (name = '') => void (scopeOf.has(name) && found.add(scopeOf.get(name) ?? ''));
  for (const text of texts)
    visit(parse(text), {
      Field(node) {
        if (!products && node.directives?.some(({ name }) => name.value === 'include')) return false;
        add(node.name.value);
      },
      InlineFragment: (node) => add(node.typeCondition?.name.value),
      FragmentDefinition: (node) => add(node.typeCondition.name.value),
    });
  return [...found].toSorted();
}

test('the scopes an app needs are those of the documents we send', () => {
  expect(requiredScopes()).toEqual(scopesOf(Object.values(always), false));
  expect(requiredScopes({ productDetails: true })).toEqual(scopesOf(Object.values(documents), true));
});

test('an app without permission is told to ask for just these', () => {
  const failure = { kind: 'http' as const, status: 403, retryAfterMs: null };
  const { merchant } = toShopError(failure, 'demo-ec.myshopify.com', 'reading');
  const named = merchant.match(/(read|write)_[a-z]+/g) ?? [];
  expect(named.toSorted()).toEqual(requiredScopes());
});

test('no row of the table is about something we never ask for', () => {
  const texts = Object.values(documents).join('\n');
  for (const name of scopeOf.keys()) expect(texts).toMatch(new RegExp(`\\b${name}\\b`));
});

describe.skipIf(!hasShared)('against the Admin schema 2026-10', () => {
  /** Type → the scopes any of which opens it, as the schema's introspection says of the documents beside it. */
  const protectedTypes = () =>
    new Map(
      [...readShared('data/shopify/graphql/REQUIRED_SCOPES.txt').matchAll(/^ +(\w+) => (.*)$/gm)].map(
        ([, type = '', text = '']) => [type, [...text.matchAll(/`(\w+)`/g)].map(([, scope]) => scope)],
      ),
    );

  test('every protected type a document reaches stands in the table with a scope that opens it', () => {
    const schema = adminSchema();
    const scopes = protectedTypes();
    const reached = new Set<string>();
    const check = (name: string, type: string, where: string) => {
      const opening = scopes.get(type);
      if (!opening) return;
      reached.add(type);
      expect(opening, `${name} of type ${type} in ${where}`).toContain(scopeOf.get(name));
    };
    for (const [where, text] of Object.entries(documents)) {
      const info = new TypeInfo(schema);
      visit(
        parse(text),
        visitWithTypeInfo(info, {
          Field(node) {
            const inside = info.getParentType()?.name ?? '';
            const type = info.getType();
            // A connection's nodes are what the connection's own name stands for.
            if (type && !inside.endsWith('Connection')) check(node.name.value, shown(type), where);
          },
          InlineFragment(node) {
            const type = node.typeCondition?.name.value ?? '';
            check(type, type, where);
          },
        }),
      );
    }
    expect([...reached]).toEqual(expect.arrayContaining(['Order', 'Customer', 'Refund', 'Company']));
  });
});

/** The type behind lists and connections. */
function shown(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (!named.name.endsWith('Connection') || !isObjectType(named)) return named.name;
  const nodes = named.getFields().nodes?.type;
  return nodes ? getNamedType(nodes).name : named.name;
}
