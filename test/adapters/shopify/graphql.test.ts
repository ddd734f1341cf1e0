import { Kind, NoDeprecatedCustomRule, parse, specifiedRules, validate, visit } from 'graphql';
import { describe, expect, test } from 'vitest';
import * as queries from '../../../adapters/shopify/queries.ts';
import { queryCost } from '../../../sandbox/shops/shopify/cost.ts';
import { adminSchema } from '../../support/admin-schema.ts';
import { hasShared, readShared } from '../../support/shared.ts';

const documents = Object.fromEntries(
  Object.entries(queries).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  ),
);

function cost(text: string, variables: Record<string, unknown> = {}): number {
  const document = parse(text);
  const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The document holds no operation.');
  return queryCost(document, operation, variables);
}

test.each(Object.entries(documents))('%s asks for less than 1,000 points', (_name, text) => {
  expect(cost(text)).toBeLessThan(1_000);
});

/** Lists that are asked for without a next page, and why none of them is ever cut short. */
const bounded: Record<string, string> = {
  'orderQuery order.transactions': 'counted: as many as asked means asking for all of them',
  'transactionsQuery order.transactions': 'counted: 250 is an error',
  'orderQuery order.refunds': 'counted: as many as asked means asking for all of them',
  'refundsQuery order.refunds': 'counted: 250 is an error',
  'changedQuery orders.nodes.refunds': 'counted: as many as asked means that nobody knows',
  'listedQuery nodes.refunds': 'counted: as many as asked means that nobody knows',
  'orderQuery order.customer.metafields': 'by key, and the settings take no more keys',
  'orderQuery order.metafields': 'our own namespace, which has 8',
  'writtenQuery order.metafields': 'our own namespace, which has 8',
  'definitionsQuery metafieldDefinitions': 'our own namespace, which has 8',
  'subscriptionsQuery webhookSubscriptions': 'only warned of, and those beyond 100 with them',
};

test('no list is ever cut short in silence', () => {
  const short: string[] = [];
  for (const [name, text] of Object.entries(documents)) {
    const path: string[] = [];
    visit(parse(text), {
      Field: {
        enter(node) {
          path.push(node.name.value);
          if (!node.arguments?.some((argument) => argument.name.value === 'first')) return;
          const selected = node.selectionSet?.selections.flatMap((one) =>
            one.kind === Kind.FIELD ? [one.name.value] : [],
          );
          if (!selected?.includes('pageInfo')) short.push(`${name} ${path.join('.')}`);
        },
        leave: () => void path.pop(),
      },
    });
  }
  expect(short.toSorted()).toEqual(Object.keys(bounded).toSorted());
});

describe.skipIf(!hasShared)('against the Admin schema 2026-10', () => {
  test('every document is valid and uses nothing deprecated', () => {
    const schema = adminSchema();
    for (const [name, text] of Object.entries(documents))
      expect(validate(schema, parse(text), [...specifiedRules, NoDeprecatedCustomRule]), name).toEqual([]);
  });

  test('the cost formula gives the figures of the fact sheet', () => {
    const shared = (name: string) => readShared(`data/shopify/graphql/${name}.graphql`);
    const fragments = shared('fragments');
    expect(cost(shared('order-header') + fragments)).toBe(365);
    expect(cost(shared('order-lines') + fragments)).toBe(478);
    expect(cost(shared('refund') + fragments)).toBe(462);
    expect(cost(shared('reconcile-orders') + fragments, { first: 25 })).toBe(302);
  });
});
