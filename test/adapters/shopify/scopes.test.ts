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
import { toShopError } from '../../../adapters/shopify/failures.ts';
import { documents as always, productDocuments } from '../../../adapters/shopify/graphql.ts';
import { requiredScopes, scopedNamesKnown, scopeOfName } from '../../../adapters/shopify/scopes.ts';
import { adminSchema } from '../../support/admin-schema.ts';
import { hasShared, readShared } from '../../support/shared.ts';

const documents = { ...always, ...productDocuments };

test('the scopes an app needs are those of the documents we send', () => {
  expect(requiredScopes()).toEqual(['read_customers', 'read_orders', 'write_orders']);
  expect(requiredScopes({ productDetails: true })).toEqual([
    'read_customers',
    'read_orders',
    'read_products',
    'write_orders',
  ]);
});

test('an app without permission is told to ask for just these', () => {
  const failure = { kind: 'http' as const, status: 403, retryAfterMs: null, reason: null };
  const { merchant } = toShopError(failure, 'demo-ec.myshopify.com', 'reading');
  const named = merchant.match(/(read|write)_[a-z]+/g) ?? [];
  expect(named.toSorted()).toEqual(requiredScopes());
});

test('no row of the table is about something we never ask for', () => {
  const texts = Object.values(documents).join('\n');
  for (const name of scopedNamesKnown) expect(texts).toMatch(new RegExp(`\\b${name}\\b`));
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
      expect(opening, `${name} of type ${type} in ${where}`).toContain(scopeOfName(name));
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
