import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryCredentials } from '../../../adapters/contract/index.ts';
import { shopify as platform } from '../../../adapters/shopify/index.ts';
import { openShopifyShop, type ShopifyShop } from '../../../sandbox/shops/shopify-shop.ts';
import { openOutbound } from '../../../src/app/outbound.ts';
import { ecuadorDay } from '../../../src/domain/clock.ts';
import { silentLog } from '../../../src/domain/ports.ts';
import type { Store } from '../../../src/domain/settings.ts';
import { planPast } from '../../../src/planner/plan.ts';
import { type Rehearsal, rehearse } from '../../../src/reports/rehearsal/rehearse.ts';
import { allBodies, connection as demo, looksLikeOrder } from '../../adapters/shopify/payloads.ts';
import { strictly } from '../../support/admin-schema.ts';
import { store as seller } from '../../support/orders.ts';
import { hasShared } from '../../support/shared.ts';

type Json = Record<string, unknown>;
const shopDomain = 'tienda-prueba.myshopify.com';
const connection = { ...demo, shop: shopDomain };
const taxCredential = '1710034065';
const now = new Date();

/** Every shared order, each with an id of its own and the number its buyer gave. */
function orders(): { name: string; rest: Json }[] {
  const seen = new Set<string>();
  let next = 9_000_000_000_000;
  const own = (one: Json, type: string) => {
    next += 1;
    return { ...one, id: next, admin_graphql_api_id: `gid://shopify/${type}/${next}` };
  };
  return allBodies()
    .filter(({ body }) => looksLikeOrder(body))
    .map(({ name, body }) => {
      const reported = ((body as Json).order ?? body) as Json;
      const fresh = seen.has(`${reported.id}`) ? own(reported, 'Order') : reported;
      seen.add(`${reported.id}`);
      const lists = ['refunds', 'line_items'].map((key) => (reported[key] ?? []) as Json[]);
      const refunds = lists[0]?.map((refund) => own(refund, 'Refund'));
      const line_items = lists[1]?.map((line) => ({ requires_shipping: true, ...line }));
      return { name, rest: { updated_at: reported.processed_at, ...fresh, refunds, line_items } };
    });
}

const store = { ...seller, id: 'tienda', platform, shop: shopDomain } as unknown as Store;

/** What the plan says of the body a webhook would carry, had it the number the API knows. */
function planned(rest: Json) {
  const order = platform.readOrder(rest, connection);
  const known = { value: taxCredential, source: 'localized field TAX_CREDENTIAL_EC', type: null };
  const ids = order.buyer.ids.length > 0 ? order.buyer.ids : [known];
  const paid = new Date(order.paidAt ?? order.placedAt);
  const date = ecuadorDay(paid < now ? paid : now);
  const input = { order: { ...order, buyer: { ...order.buyer, ids } }, store, invoiceFrom: new Date(0), now };
  const { sale, today } = planPast(input, { number: '001-001-000000001', date });
  return { id: order.id, sale, lines: [sale, ...today.filter(({ kind }) => kind === 'nota-credito')] };
}

describe.skipIf(!hasShared)('a rehearsal of a Shopify shop with every shared payload', () => {
  const sold = hasShared ? orders() : [];
  let shop: ShopifyShop;
  let found: Rehearsal;
  const store = { ...seller, id: 'tienda', platform, shop: shopDomain } as unknown as Store;
  beforeAll(async () => {
    shop = await openShopifyShop({ shop: shopDomain, orders: [], accessToken: 'ficha', ...strictly() });
    const localized_fields = [{ key: 'TAX_CREDENTIAL_EC', value: taxCredential }];
    for (const { rest } of sold) {
      shop.put({ ...rest, localized_fields });
      const { id, sale } = planned(rest);
      // Of what can be invoiced something goes back: the samples refund only foreign sales.
      if (sale?.action === 'emit') shop.refund(id, { transactions: [{ amount: '1.00' }] });
    }
    const app = platform.app?.parse({
      clientId: 'app',
      clientSecrets: ['secreto-de-la-app-0123456789abcdef'],
    });
    const api = platform.openShop(
      {
        connection: platform.connection.parse({
          app: 'app',
          shop: shopDomain,
          accessToken: 'ficha',
          adminUrl: shop.url,
        }),
        app: app as never,
      },
      {
        clock: { now: () => now },
        log: silentLog,
        userAgent: 'test',
        credentials: memoryCredentials(),
        outbound: openOutbound(),
      },
    );
    if (!api) throw new Error('The store has no API.');
    const rechargeFor = () => ({ usd: 50, documents: 1742 });
    found = await rehearse({ store, shop: api, now, rechargeFor }, { since: new Date(0), most: 1000 });
    await api.close();
  });
  afterAll(() => shop?.close());

  it('says of each document what the plan says of it', () => {
    expect(found.unreadable).toEqual([]);
    const expected = sold.map(({ name, rest }) => ({
      name,
      ...planned(shop.order(planned(rest).id) as Json),
    }));
    for (const { name, id, lines } of expected) {
      const mine = found.documents.filter(({ orderId }) => orderId === id);
      const line = ({
        kind,
        action,
        code,
        charged,
        document,
      }: (typeof mine)[number] | (typeof lines)[number]) => [kind, action, code, charged, document].join(' ');
      expect(mine.map(line).sort(), name).toEqual(lines.map(line).sort());
    }
    expect(expected.length).toBeGreaterThan(35);
    expect(found.figures.facturas.count).toBeGreaterThan(3);
    expect(found.figures.notasCredito.count).toBeGreaterThan(3);
  });
});
