import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shopify as platform } from '../../adapters/shopify/index.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedgerReader } from '../../src/ledger/read.ts';
import { plan } from '../../src/planner/plan.ts';
import { allBodies, connection, looksLikeOrder } from '../adapters/shopify/payloads.ts';
import { eventually } from '../support/eventually.ts';
import { store } from '../support/orders.ts';
import { hasShared } from '../support/shared.ts';
import { openShopifyProduct, type ShopifyProduct, shopDomain } from '../support/shopify-product.ts';

/*
 * Every recorded and made-up Shopify body goes through the endpoint of the running product, the shop behind it knowing
 * the order as GraphQL tells it; what comes of it must be what the pure plan says of the body itself.
 */

type Json = Record<string, unknown>;
const bag = (value: unknown) => (value ?? {}) as Json;
const list = (value: unknown) => (Array.isArray(value) ? (value as Json[]) : []);
const bodies = hasShared ? allBodies() : [];

/** The number only the API knows, of buyers whose body carries none. */
const taxCredential = '1710034065';

interface Sold {
  name: string;
  id: string;
  rest: Json;
}

/** Vendor samples show one order in many states: each becomes an order of its own, with refunds of its own. */
function orders(): Sold[] {
  const seen = new Set<string>();
  let next = 9_000_000_000_000;
  const own = (one: Json, type: string) => {
    next += 1;
    return { ...one, id: next, admin_graphql_api_id: `gid://shopify/${type}/${next}` };
  };
  return bodies
    .filter(({ body }) => looksLikeOrder(body))
    .map(({ name, body }) => {
      const reported = bag(bag(body).order ?? body);
      const known = `${reported.id}`;
      const fresh = seen.has(known) ? own(reported, 'Order') : reported;
      seen.add(known);
      const refunds = list(reported.refunds).map((refund) => own(refund, 'Refund'));
      const lines = list(reported.line_items).map((line) => ({ requires_shipping: true, ...line }));
      const rest = { updated_at: reported.processed_at, ...fresh, refunds, line_items: lines };
      return { name, id: platform.readOrder(rest, connection).id, rest };
    });
}

/** Refund bodies, alone or as the API lists them. */
function refunds(): { name: string; body: Json }[] {
  const isRefund = (one: Json) => Array.isArray(one.refund_line_items) && one.order_id !== undefined;
  return bodies
    .filter(({ body }) => !looksLikeOrder(body))
    .flatMap(({ name, body }) => {
      const reported = bag(body);
      const all = [
        reported,
        bag(reported.refund),
        ...list(reported.refunds),
        ...Object.values(reported).map(bag),
      ];
      return all.filter(isRefund).map((one) => ({ name, body: one }));
    });
}

const topicOf = (name: string) => (name.includes('cancelled') ? 'orders/cancelled' : 'orders/paid');

/** What the pure plan makes of the body, had it the number the API knows. */
function planned({ rest }: Sold) {
  const order = platform.readOrder(rest, { ...connection, shop: shopDomain });
  const { ids } = order.buyer;
  const known = { value: taxCredential, source: 'localized field TAX_CREDENTIAL_EC', type: null };
  const sale = { ...order, buyer: { ...order.buyer, ids: ids.length > 0 ? ids : [known] } };
  const [action] = plan({ order: sale, documents: [], store, invoiceFrom: new Date(0), now: new Date() });
  return action;
}

describe.skipIf(!hasShared)('the shared Shopify payloads, through the endpoint', () => {
  const sold = orders();
  let bench: ShopifyProduct;
  beforeAll(async () => {
    bench = await openShopifyProduct({ orders: [], store: { invoiceFrom: '2000-01-01' } });
    await bench.product.start();
  });
  afterAll(() => bench?.close());

  const isSynced = (id: string) =>
    bench.product
      .log()
      .split('\n')
      .some((line) => line.includes(`"order":"${id}"`) && line.includes('Order synced'));
  const fields = (id: string) => bench.shopify.metafields(id);

  it('are all answered 200, orders, refunds and whatever else comes to the address', async () => {
    for (const { name, id, rest } of sold) {
      bench.shopify.put({ ...rest, localized_fields: [{ key: 'TAX_CREDENTIAL_EC', value: taxCredential }] });
      for (const topic of [topicOf(name), 'orders/updated'])
        expect(await bench.notify(topic, id), name).toMatchObject([{ status: 200 }]);
    }
    // app/uninstalled ends the shop, and has a timeline of its own.
    const others = bodies.filter(({ name, body }) => !looksLikeOrder(body) && !name.includes('uninstalled'));
    for (const { name, body } of others) {
      const topic =
        /_(orders_edited|returns_close|\w+_transactions_create)\b/.exec(name)?.[1] ?? 'orders_updated';
      expect(await bench.post(topic.replace(/_(?=[a-z]+$)/, '/'), body), name).toBe(200);
    }
    for (const { name, body } of refunds()) expect(await bench.post('refunds/create', body), name).toBe(200);
    expect(sold.length).toBeGreaterThan(35);
    expect(refunds().length).toBeGreaterThan(10);
  });

  it('become what the plan says of each: one factura to the cent, a hold with its reason, or nothing', async () => {
    const expected = sold.map((one) => ({ ...one, action: planned(one) }));
    for (const { name, id } of expected)
      await eventually(() => isSynced(id), `order ${id} of ${name} to be read`);
    for (const { name, id, action } of expected) {
      if (action?.action === 'emit') {
        const numero = await eventually(() => fields(id).numero, `the factura of ${name}`);
        const stored = bench.product.sandbox
          .documents()
          .filter((one) => one.tipo === '01' && one.numero === numero);
        expect(
          stored.map(({ figures }) => Number(figures?.importeTotal).toFixed(2)),
          name,
        ).toEqual([action.charged]);
      } else if (action?.action === 'hold') {
        await eventually(() => fields(id).estado === 'RETENIDO', `the hold of ${name}`);
        // Below it may stand the link with which the buyer answers.
        expect(fields(id).motivo?.split('\n')[0], name).toBe(action.reason);
      } else expect(fields(id).numero, name).toBeUndefined();
    }
    const facturas = expected.filter(({ action }) => action?.action === 'emit');
    expect(facturas.length).toBeGreaterThan(3);
    expect(bench.product.sandbox.documents()).toHaveLength(facturas.length);
  });

  it('that are refunds of an invoiced order become notas de crédito of what went back, or say why not', async () => {
    const reported = refunds().filter(({ body }) => fields(String(body.order_id)).numero !== undefined);
    const money = (body: Json) =>
      list(body.transactions)
        .filter(({ kind, status }) => kind === 'refund' && status === 'success')
        .reduce((sum, { amount }) => sum + Number(amount), 0)
        .toFixed(2);
    expect(reported.length).toBeGreaterThan(3);
    for (const { name, body } of reported) {
      const id = String(body.order_id);
      const order = sold.find((one) => one.id === id)?.rest ?? {};
      order.refunds = [...list(order.refunds), body];
      bench.shopify.put({ ...order, updated_at: new Date().toISOString() });
      expect(await bench.post('refunds/create', body), name).toBe(200);
      if (money(body) === '0.00') continue;
      const of = () =>
        (JSON.parse(fields(id).notas_credito ?? '[]') as Json[]).find(
          ({ reembolso }) => reembolso === String(body.id),
        );
      const credit = await eventually(of, `the nota de crédito of ${name}`);
      if (credit.estado === 'AUTORIZADO') continue;
      expect(fields(id).motivo, name).toContain(`Reembolso ${body.id}: `);
    }
    await bench.product.stop();
    const reader = openLedgerReader({ directory: join(bench.product.folder, 'ledger') }, silentLog);
    const credits = (await reader.documents.list({ limit: 1_000 })).filter(
      ({ kind }) => kind === 'nota-credito',
    );
    await reader.close();
    const byRefund = new Map(reported.map(({ body }) => [String(body.id), money(body)]));
    const authorized = credits.filter(({ state }) => state === 'authorized');
    expect(authorized.length).toBeGreaterThan(1);
    for (const { sourceId, total } of authorized) expect(total).toBe(byRefund.get(sourceId));
    expect(new Set(credits.map(({ sourceId }) => sourceId)).size).toBe(credits.length);
  });
});
