import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { buildSchema, Kind, NoDeprecatedCustomRule, parse, specifiedRules, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { documents } from '../../../adapters/shopify/graphql.ts';
import { queryCost } from '../../../src/testing/shopify/cost.ts';
import { hasShared, readShared, sharedPath } from '../../support/shared.ts';

function cost(text: string, variables: Record<string, unknown> = {}): number {
  const document = parse(text);
  const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The document holds no operation.');
  return queryCost(document, operation, variables);
}

test.each(Object.entries(documents))('%s asks for less than 1,000 points', (_name, text) => {
  expect(cost(text)).toBeLessThan(1_000);
});

describe.skipIf(!hasShared)('against the Admin schema 2026-10', () => {
  test('every document is valid and uses nothing deprecated', () => {
    const sdl = gunzipSync(readFileSync(sharedPath('data/shopify/admin_2026-10.graphql.gz'))).toString();
    const schema = buildSchema(sdl, { assumeValidSDL: true });
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
