import { describe, expect, test } from 'vitest';
import { onEvent } from '../../../adapters/shopify/receive.ts';
import { ShopError } from '../../../src/domain/errors.ts';
import type { ShopEvent } from '../../../src/domain/platform.ts';
import { calls, install, oauthApp, openContext, openOauthShop, stoppedClock } from './oauth-shop.ts';

const shopDomain = 'quito.myshopify.com';

async function open() {
  const clock = stoppedClock();
  const context = openContext(clock);
  const opened = await openOauthShop(shopDomain, clock);
  await install(opened, context);
  const report = (topic: string, body: object): Promise<ShopEvent> =>
    onEvent(
      { topic, shop: shopDomain, body: Buffer.from(JSON.stringify(body)) },
      { connection: opened.connection, app: oauthApp },
      context,
    );
  return { ...opened, clock, context, notify: report, kept: () => context.credentials.get(shopDomain) };
}

const gone = { id: 1, myshopify_domain: shopDomain };

describe('what a shop tells of itself is believed only when the shop agrees', () => {
  test('an uninstall that is true takes the tokens away; told again, nothing more happens', async () => {
    const { shop, notify: report, kept } = await open();
    shop.uninstall();
    expect(await report('app/uninstalled', gone)).toEqual({ kind: 'access-ended' });
    expect(await kept()).toBeNull();
    expect(await report('app/uninstalled', gone)).toEqual({ kind: 'access-ended' });
  });

  test('an uninstall that comes after a new install takes nothing away', async () => {
    const { notify: report, kept } = await open();
    expect(await report('app/uninstalled', gone)).toMatchObject({ kind: 'nothing' });
    expect(await report('shop/redact', { shop_id: 1, shop_domain: shopDomain })).toMatchObject({
      kind: 'nothing',
    });
    expect(await kept()).not.toBeNull();
  });

  test('an install that ends while the uninstall is being looked at stays', async () => {
    const { context, shop, notify: report, kept } = await open();
    const before = await kept();
    shop.uninstall();
    const { alone } = context.credentials;
    let turns = 0;
    context.credentials.alone = async (name, task) => {
      turns += 1;
      // Between the look at the shop and the removal.
      if (turns === 2) {
        const now = await kept();
        await context.credentials.put(shopDomain, before?.value, now?.version ?? null);
      }
      return alone(name, task);
    };
    expect(await report('app/uninstalled', gone)).toMatchObject({ kind: 'nothing' });
    expect(turns).toBe(2);
    expect((await kept())?.value).toEqual(before?.value);
  });

  test('an idle shop whose token has lapsed is asked with a new one before anything is taken away', async () => {
    const { clock, notify: report, kept, shop } = await open();
    clock.pass(5 * 3_600_000);
    expect(await report('app/uninstalled', gone)).toMatchObject({ kind: 'nothing' });
    expect(calls(shop, 'access_token')).toBe(2);
    expect(await kept()).not.toBeNull();
  });

  test('while Shopify cannot be asked nothing is decided', async () => {
    const { notify: report, kept, shop } = await open();
    for (let i = 0; i < 4; i += 1) shop.trouble({ status: 503, body: {} });
    await expect(report('app/uninstalled', gone)).rejects.toThrow(ShopError);
    expect(await kept()).not.toBeNull();
  });

  test('a signed body of one shop says nothing about another, whatever the header claims', async () => {
    const { shop, notify: report, kept } = await open();
    shop.uninstall();
    const bodies = { myshopify_domain: 'otra.myshopify.com', shop_domain: 'otra.myshopify.com' };
    for (const topic of ['app/uninstalled', 'customers/data_request', 'customers/redact', 'shop/redact'])
      expect(await report(topic, bodies)).toMatchObject({ kind: 'nothing' });
    expect(await kept()).not.toBeNull();
  });

  test('new scopes are those the shop tells, not those of the body', async () => {
    const { notify: report, kept } = await open();
    const event = await report('app/scopes_update', {
      current: ['read_orders', 'write_orders', 'read_customers'],
    });
    expect(event).toEqual({ kind: 'access-changed', missing: ['read_customers', 'write_orders'] });
    expect((await kept())?.value).toMatchObject({ scopes: ['read_orders'] });
  });
});

describe('what buyers ask', () => {
  test('names them as Shopify does, long ids and missing fields included', async () => {
    const { notify: report } = await open();
    const ask = {
      shop_domain: shopDomain,
      orders_requested: [299938, '820982911946154508'],
      customer: { id: 1, email: 'ana@example.ec', phone: null },
      data_request: { id: 9 },
    };
    expect(await report('customers/data_request', ask)).toEqual({
      kind: 'buyer-asked',
      buyer: { orders: ['299938', '820982911946154508'], email: 'ana@example.ec', phone: null },
    });
    expect(await report('customers/redact', { shop_domain: shopDomain, customer: { id: 1 } })).toEqual({
      kind: 'forget-buyer',
      buyer: { orders: [], email: null, phone: null },
    });
  });

  test('what is no such body asks for nothing', async () => {
    const { notify: report } = await open();
    expect(await report('customers/redact', { orders_to_redact: 'all' })).toMatchObject({ kind: 'nothing' });
    expect(await report('app/uninstalled', [])).toMatchObject({ kind: 'nothing' });
  });
});
