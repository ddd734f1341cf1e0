import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { eventTopics } from '../../adapters/shopify/events.ts';
import { toInstall } from '../../adapters/shopify/tokens/record.ts';
import { type House, now, openHouse } from '../web/house.ts';

/* Two Shopify apps of two agencies in one installation: `mi-app` with the shop quito, `publica` with the shop loja. */

const secrets = { 'mi-app': 'secreto-nuevo-de-la-app', publica: 'secreto-de-la-otra-app-0123456789' };
const openTwo = () => openHouse({ oauthApp: { clientId: 'publica-id', clientSecrets: [secrets.publica] } });

let delivery = 0;
const tell = (house: House, app: keyof typeof secrets, topic: string, shop: string, more: object = {}) => {
  const body = JSON.stringify({
    id: 42,
    shop_domain: shop,
    myshopify_domain: shop,
    customer: { email: 'ana@example.ec' },
    ...more,
  });
  delivery += 1;
  return house.post(`/webhooks/${app}`, body, {
    'x-shopify-hmac-sha256': createHmac('sha256', secrets[app]).update(body).digest('base64'),
    'x-shopify-topic': topic,
    'x-shopify-shop-domain': shop,
    'x-shopify-webhook-id': `w${delivery}`,
  });
};
const said = async (answer: Promise<Response>) => {
  const { status, text } = await answer.then(async (one) => ({ status: one.status, text: await one.text() }));
  return [status, text];
};

describe('the secret of an app', () => {
  test.each(eventTopics)('has nothing done for the shop of another app by %s', async (topic) => {
    const house = await openTwo();
    const other = await said(tell(house, 'publica', topic, 'quito.myshopify.com'));
    const nobody = await said(tell(house, 'publica', topic, 'nadie.myshopify.com'));
    expect(other).toEqual([200, '{"status":"ignored"}']);
    expect(nobody).toEqual(other);
    expect(await house.work()).toEqual([]);
    // Its own shop is heard.
    expect(await said(tell(house, 'publica', topic, 'loja.myshopify.com'))).toEqual([
      200,
      '{"status":"accepted"}',
    ]);
    expect((await house.work()).map(({ kind }) => kind)).toEqual(['shop-event']);
  });

  test.each(['orders/paid', 'orders/updated', 'refunds/create'])(
    'is refused for the shop of another app as for one nobody has, by %s',
    async (topic) => {
      const house = await openTwo();
      const more = { order_id: 42 };
      const other = await said(tell(house, 'publica', topic, 'quito.myshopify.com', more));
      expect(other[0]).toBe(404);
      expect(await said(tell(house, 'publica', topic, 'nadie.myshopify.com', more))).toEqual(other);
      expect(await house.work()).toEqual([]);
    },
  );

  test('is of no use for a shop that gave its access to another app and has no store yet', async () => {
    const house = await openTwo();
    const { credentials } = house.context('shopify');
    const granted = {
      accessToken: 'shpat_x',
      scopes: [],
      expiresIn: 3_600,
      refreshToken: 'shprt_x',
      refreshExpiresIn: 90 * 86_400,
    };
    await credentials.put('ambato.myshopify.com', toInstall(granted, 'publica-id', now), null);
    expect((await tell(house, 'mi-app', 'orders/paid', 'ambato.myshopify.com')).status).toBe(404);
    await tell(house, 'mi-app', 'shop/redact', 'ambato.myshopify.com');
    expect(await house.work()).toEqual([]);
    // The app it did install keeps what it says.
    expect((await tell(house, 'publica', 'orders/paid', 'ambato.myshopify.com')).status).toBe(200);
    await tell(house, 'publica', 'shop/redact', 'ambato.myshopify.com');
    expect((await house.work()).map(({ kind }) => kind)).toEqual(['shop-event']);
  });

  test('may still ask for erasure after its store left the config, until the shop sells through another', async () => {
    const house = await openTwo();
    const shop = { id: 'macas', platform: 'shopify', shop: 'macas.myshopify.com', now };
    await house.ledger.stores.register({ ...shop, app: 'publica' });
    expect(await said(tell(house, 'publica', 'shop/redact', shop.shop))).toEqual([
      200,
      '{"status":"accepted"}',
    ]);
    expect(await said(tell(house, 'mi-app', 'shop/redact', shop.shop))).toEqual([
      200,
      '{"status":"ignored"}',
    ]);
    expect((await tell(house, 'publica', 'orders/paid', shop.shop)).status).toBe(404);
    await house.ledger.stores.register({ ...shop, app: 'mi-app' });
    expect(await said(tell(house, 'publica', 'shop/redact', shop.shop))).toEqual([
      200,
      '{"status":"ignored"}',
    ]);
  });
});
