import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shopifyOrderIds, shopifyOrders } from '../../sandbox/shops/shopify-orders.ts';
import { eventually } from '../support/eventually.ts';
import { openShopifyProduct, type ShopifyProduct } from '../support/shopify-product.ts';

/* What happens to an order in Shopify, from its webhooks to what stands on it. */

type Json = Record<string, unknown>;
const [first = '', second = '', , , anonymous = ''] = shopifyOrderIds;

/** Changes an order as an edit by the merchant does. */
function edited(order: Json, change: Json): Json {
  return { ...order, updated_at: new Date().toISOString(), ...change };
}

describe('a Shopify order', () => {
  let bench: ShopifyProduct;
  beforeAll(async () => {
    bench = await openShopifyProduct();
    await bench.product.start();
  });
  afterAll(() => bench?.close());

  const order = (id: string) => bench.shopify.order(id) as Json;
  const fields = (id: string) => bench.shopify.metafields(id);
  const seen = <T>(what: string, look: () => T | undefined | false | null) =>
    eventually(() => look() || undefined, `${what}\n${bench.product.log()}`);
  const stored = (tipo: string) => bench.product.sandbox.documents().filter((one) => one.tipo === tipo);
  /** How often the order was read and planned. */
  const synced = (id: string) =>
    bench.product
      .log()
      .split('\n')
      .filter((line) => line.includes(`"order":"${id}"`) && line.includes('Order synced')).length;

  it('that was paid becomes an authorised factura whose facts, links and tag stand on it', async () => {
    expect(await bench.notify('orders/paid', first, 3)).toMatchObject([
      { status: 200 },
      { status: 200 },
      { status: 200 },
    ]);
    await seen('the factura', () => fields(first).pdf);
    expect(fields(first)).toEqual({
      estado: 'AUTORIZADO',
      numero: '001-001-000000001',
      clave_acceso: expect.stringMatching(/^\d{49}$/),
      pdf: expect.stringContaining(bench.product.url),
      xml: expect.stringContaining(bench.product.url),
      autorizado_en: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\+00:00$/),
    });
    await seen('the tag', () => bench.shopify.tags(first).includes('factura-autorizada'));
    const pdf = Buffer.from(await (await fetch(fields(first).pdf ?? '')).arrayBuffer());
    expect(pdf.subarray(0, 4).toString()).toBe('%PDF');
    const [{ figures } = {}] = stored('01');
    expect(Number(figures?.importeTotal).toFixed(2)).toBe(order(first).total_price);
  });

  it('that is paid by hand later is invoiced then, and a cancellation that gives nothing back changes nothing', async () => {
    const id = '7100000009003';
    const gid = { id: Number(id), admin_graphql_api_id: `gid://shopify/Order/${id}`, name: '#9003' };
    const paid: Json = { ...structuredClone(shopifyOrders(new Date())[3]), ...gid };
    const owed = { financial_status: 'pending', total_outstanding: paid.total_price, transactions: [] };
    bench.shopify.put(edited(paid, owed));
    await bench.notify('orders/edited', id);
    await seen('the order to be read', () => synced(id) > 0);
    expect(fields(id)).toEqual({});
    bench.shopify.put(edited(paid, {}));
    await bench.notify('orders/paid', id);
    await seen('the factura', () => fields(id).pdf);
    const before = stored('01').length;
    bench.shopify.put(edited(paid, { cancelled_at: new Date().toISOString(), cancel_reason: 'other' }));
    const read = synced(id);
    await bench.notify('orders/cancelled', id);
    await seen('the cancelled order to be read', () => synced(id) > read);
    expect(fields(id).estado).toBe('AUTORIZADO');
    expect([stored('01').length, stored('04').length]).toEqual([before, 0]);
    expect(bench.shopify.tags(id)).toEqual(['factura-autorizada']);
  });

  it('that is cancelled with its money given back gets one nota de crédito, whichever webhook comes', async () => {
    await bench.notify('orders/paid', second);
    await seen('the factura', () => fields(second).pdf);
    const lines = order(second).line_items as { id: number; quantity: number }[];
    bench.shopify.refund(second, {
      refund_line_items: lines.map(({ id, quantity }) => ({ line_item_id: id, quantity })),
      refund_shipping_lines: [{}],
    });
    const at = new Date().toISOString();
    bench.shopify.put(edited(order(second), { cancelled_at: at, cancel_reason: 'customer' }));
    await Promise.all([bench.notify('refunds/create', second), bench.notify('orders/cancelled', second)]);
    const credits = await seen('the nota de crédito', () => {
      const list = JSON.parse(fields(second).notas_credito ?? '[]') as Record<string, string>[];
      return list.some(({ pdf }) => pdf) && list;
    });
    expect(credits).toMatchObject([{ estado: 'AUTORIZADO', numero: '001-001-000000001' }]);
    expect(stored('04')).toHaveLength(1);
    expect(Number(stored('04')[0]?.figures?.importeTotal).toFixed(2)).toBe(order(second).total_price);
    // The factura stays what it is.
    expect(fields(second)).toMatchObject({ estado: 'AUTORIZADO', numero: '001-001-000000003' });
  });

  it('edited after its factura is told to a person on the order, and taken back when the edit is', async () => {
    const before = order(first);
    const [line] = before.line_items as Json[];
    const more = { ...line, id: 99_001, admin_graphql_api_id: null, quantity: 1, current_quantity: 1 };
    const added = { price: '10.00', price_set: null, discount_allocations: [], total_discount: '0.00' };
    const tax = [{ title: 'IVA 15%', rate: 0.15, price: '1.50', price_set: null }];
    const total = (Number(before.total_price) + 11.5).toFixed(2);
    const totals = {
      ...{
        total_price: total,
        current_total_price: total,
        total_price_set: null,
        current_total_price_set: null,
      },
      ...{
        total_tax_set: null,
        total_tax: (Number(before.total_tax) + 1.5).toFixed(2),
        transactions: undefined,
      },
    };
    const lines = [...(before.line_items as Json[]), { ...more, ...added, tax_lines: tax }];
    bench.shopify.put(edited(before, { ...totals, line_items: lines }));
    await bench.notify('orders/edited', first, 2);
    await seen('the word to a person', () => fields(first).motivo?.includes('factura complementaria'));
    await seen('the tag', () => bench.shopify.tags(first).includes('factura-retenida'));
    expect(fields(first).motivo).toContain('cobró 11.50 más');
    expect(fields(first)).toMatchObject({ estado: 'AUTORIZADO', numero: '001-001-000000001' });
    expect(stored('01').filter(({ numero }) => numero.endsWith('000000001'))).toHaveLength(1);

    bench.shopify.put(edited(before, {}));
    await bench.notify('orders/edited', first);
    await seen('the word to be gone', () => fields(first).motivo === undefined);
    await seen('the tag to be gone', () => !bench.shopify.tags(first).includes('factura-retenida'));
  });

  it('never has its note, attributes or address written, and keeps the merchant’s tags', async () => {
    bench.shopify.put(edited(order(anonymous), { note: 'dejar en portería' }));
    await bench.notify('orders/paid', anonymous);
    await seen('the factura', () => fields(anonymous).pdf);
    const written = new Set(
      bench.shopify.requests
        .filter(({ query }) => query.startsWith('mutation'))
        .map(({ query }) => /\{\s*(\w+)/.exec(query)?.[1]),
    );
    expect([...written].toSorted()).toEqual([
      'metafieldDefinitionCreate',
      'metafieldsDelete',
      'metafieldsSet',
      'tagsAdd',
      'tagsRemove',
    ]);
    expect(order(anonymous).note).toBe('dejar en portería');
  });
});
