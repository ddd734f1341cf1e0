import { describe, expect, test } from 'vitest';
import { hasShared } from '../../support/shared.ts';
import { type Outcome, ofShopify, ofWooCommerce, toTable } from './outcomes.ts';

/** What is planned anew: `npx vitest run test/planner/recorded --update` writes the tables, to be read in the diff. */
describe.skipIf(!hasShared)('every recorded body of a shop', () => {
  test.each([
    ['woocommerce-1', () => ofWooCommerce('recordings'), 160],
    ['woocommerce-2', () => ofWooCommerce('recordings2'), 300],
    ['shopify', ofShopify, 90],
  ] as const)('%s comes to its outcome', async (name, read, atLeast) => {
    const outcomes: Outcome[] = read();
    expect(outcomes.length).toBeGreaterThan(atLeast);
    await expect(`${toTable(outcomes)}\n`).toMatchFileSnapshot(`${name}.md`);
  });
});
