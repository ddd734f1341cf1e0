import { expect, test } from 'vitest';
import { demoIssuer } from '../../../src/cli/given.ts';
import { defaultPolicy } from '../../../src/config/resolve-stores.ts';
import type { Store } from '../../../src/domain/settings.ts';
import { lintCatalog } from '../../../src/reports/rehearsal/lint-catalog.ts';
import { line } from '../../support/orders.ts';

const store = {
  ...demoIssuer,
  id: 'tienda',
  platform: { name: 'shopify' },
  shop: 'a.myshopify.com',
  policy: defaultPolicy(),
};

/** The rate of 2024-03 needs a rule, which the finding names; that of today needs none. */
test.each([
  ['2024-03-10', /tarifa 12|12 %/],
  ['2026-11-20', null],
])('a product without a stated rate is taken to have the general one of %s', async (day, held) => {
  const items = [{ line: line({}), taxesKnown: false }];
  const paged = async () => ({ rows: items, next: null });
  const now = new Date(`${day}T15:00:00Z`);
  const report = await lintCatalog(store as unknown as Store, paged as never, { now });
  expect(report).toMatchObject({ products: 1, assumed: 1 });
  expect(report.findings.map(({ reason }) => reason)).toEqual(held ? [expect.stringMatching(held)] : []);
});
