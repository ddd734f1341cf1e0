import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed, whole } from '../support/chance.ts';
import { eventually } from '../support/eventually.ts';
import { openProduct, type Product } from '../support/product.ts';
import { described, isMoney, type RefundService, refundServices } from '../support/refund-services.ts';
import { shopifyTill, shopifyTillOrders, type Till, wooTill, wooTillOrders } from '../support/refunding.ts';
import { clientSecret, openShopifyProduct } from '../support/shopify-product.ts';

/** Refunds over HTTP, from the shop's webhook to the nota de crédito on the order, on both platforms. */
async function openTill(
  platform: string,
  { sandbox, creditNotes }: RefundService,
): Promise<{ product: Product; till: Till; close: () => Promise<void> }> {
  if (platform === 'woocommerce') {
    const product = await openProduct({
      engine: 'sqlite',
      orders: wooTillOrders(new Date()),
      sandbox,
      policy: { creditNotes },
    });
    return { product, till: wooTill(product), close: product.close };
  }
  const store = { invoiceFrom: '2026-01-01', policy: { creditNotes } };
  const orders = shopifyTillOrders(new Date());
  const { product, shopify, close } = await openShopifyProduct({ orders, store, sandbox });
  return { product, till: shopifyTill(product, shopify, clientSecret), close };
}

const platforms = ['woocommerce', 'shopify'];
/** The services differ in the body of a nota de crédito alone: here one beside the described one, another per platform. */
const everywhere = platforms.flatMap((platform, at) =>
  refundServices
    .filter((service, index) => whole || service === described || index === 1 + ((seed + at) % 3))
    .map((service) => ({ platform, ...service })),
);

describe.each(everywhere)('a refund of a $platform order, the service being one $service', (of) => {
  let product: Product;
  let till: Till;
  let close = async () => {};
  beforeAll(async () => {
    ({ product, till, close } = await openTill(of.platform, of));
    await product.start();
  });
  afterAll(() => close());

  const seen = <T>(what: string, look: () => T | null | undefined) =>
    eventually(() => look() ?? undefined, `${what}\n${product.log()}`);
  const credits = (order: string, count: number) =>
    seen(`${count} notas de crédito on ${order}`, () => {
      const found = till.credits(order);
      return found.length >= count ? found : null;
    });
  const stored = (tipo: string) => product.sandbox.documents().filter((one) => one.tipo === tipo);
  const sum = (tipo: string) =>
    stored(tipo)
      .reduce((all, { figures }) => all + Number(figures?.importeTotal), 0)
      .toFixed(2);
  const expectMoney = (money: number | string) =>
    expect({ documents: sum('04'), money, agree: isMoney(sum('04'), money, of) }).toMatchObject({
      agree: true,
    });

  it('becomes a nota de crédito, the rest another, and both stand on the order with their PDF', async () => {
    const { order } = till;
    await till.reportPaid(order);
    await seen('the factura', () => till.factura(order));
    const unit = till.refundUnit(order);
    await till.reportRefunded(order);
    const [first] = await credits(order, 1);
    expect(first).toMatchObject({ number: '001-001-000000001' });
    expectMoney(unit);

    till.refundRest(order);
    await till.reportRefunded(order);
    const both = await credits(order, 2);
    expect(both.map(({ number }) => number).sort()).toEqual(['001-001-000000001', '001-001-000000002']);
    // Everything went back, so the notas de crédito take everything back.
    expectMoney(sum('01'));
    expect(stored('04').every(({ estado }) => estado === 4)).toBe(true);
    for (const { pdf } of both) {
      const file = Buffer.from(await (await fetch(pdf ?? '')).arrayBuffer());
      expect(file.subarray(0, 4).toString()).toBe('%PDF');
    }
  });

  it('told again and again stays what it is', async () => {
    await Promise.all(Array.from({ length: 10 }, () => till.reportRefunded(till.order)));
    await eventually(async () => (await product.log()).split('Order synced').length > 4, 'more syncs');
    expect(stored('04')).toHaveLength(2);
  });

  it('to consumidor final stands on the order with what the merchant can do', async () => {
    const { anonymous } = till;
    await till.reportPaid(anonymous);
    await seen('the factura', () => till.factura(anonymous));
    till.refundRest(anonymous);
    await till.reportRefunded(anonymous);
    const [reported] = await credits(anonymous, 1);
    expect(reported?.reason).toContain('es de consumidor final y desde 2026 el SRI no admite');
    expect(stored('04')).toHaveLength(2);
  });

  it('before the paid webhook is taken off the factura', async () => {
    const { earlyAnonymous: order } = till;
    const back = till.refundUnit(order);
    await till.reportRefunded(order);
    await till.reportPaid(order);
    await seen('the factura', () => till.factura(order));
    expect(stored('04')).toHaveLength(2);
    const factura = stored('01').at(-1);
    const full = of.platform === 'shopify' ? 6.54 : 15.32;
    expect(Number(factura?.figures?.importeTotal)).toBeCloseTo(full - back, 2);
  });

  it('while the factura is with the authority becomes a nota de crédito once that is done', async () => {
    const { laterOrder: order } = till;
    const before = stored('01').length;
    product.sandbox.faults.add({ outcome: { resultado: 'autorizado', delayMs: 1_500, times: 1 } });
    await till.reportPaid(order);
    await eventually(() => stored('01').length === before + 1, 'the factura to be received');
    till.refundUnit(order);
    await till.reportRefunded(order);
    expect(await credits(order, 1)).toHaveLength(1);
    await eventually(() => stored('04').length === 3, 'the nota de crédito to be received');
  });
});
