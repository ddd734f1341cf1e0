import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { toInstall } from '../../adapters/shopify/credentials.ts';
import { eventTopics } from '../../adapters/shopify/receive.ts';
import { type Installation, now, openInstallation } from '../http/installation.ts';

/* Two Shopify apps of two agencies in one installation: `mi-app` with the shop quito, `publica` with the shop loja. */

const secrets = { 'mi-app': 'secreto-nuevo-de-la-app', publica: 'secreto-de-la-otra-app-0123456789' };
const openTwo = () =>
  openInstallation({ oauthApp: { clientId: 'publica-id', clientSecrets: [secrets.publica] } });

let delivery = 0;
const report = (
  installation: Installation,
  app: keyof typeof secrets,
  topic: string,
  shop: string,
  more: object = {},
) => {
  const body = JSON.stringify({
    id: 42,
    shop_domain: shop,
    myshopify_domain: shop,
    customer: { email: 'ana@example.ec' },
    ...more,
  });
  delivery += 1;
  return installation.post(`/webhooks/${app}`, body, {
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
    const installation = await openTwo();
    const other = await said(report(installation, 'publica', topic, 'quito.myshopify.com'));
    const nobody = await said(report(installation, 'publica', topic, 'nadie.myshopify.com'));
    expect(other).toEqual([200, '{"status":"ignored"}']);
    expect(nobody).toEqual(other);
    expect(await installation.jobs()).toEqual([]);
    // Its own shop is heard.
    expect(await said(report(installation, 'publica', topic, 'loja.myshopify.com'))).toEqual([
      200,
      '{"status":"accepted"}',
    ]);
    expect((await installation.jobs()).map(({ kind }) => kind)).toEqual(['shop-event']);
  });

  test.each(['orders/paid', 'orders/updated', 'refunds/create'])(
    'is refused for the shop of another app as for one nobody has, by %s',
    async (topic) => {
      const installation = await openTwo();
      const more = { order_id: 42 };
      const other = await said(report(installation, 'publica', topic, 'quito.myshopify.com', more));
      expect(other[0]).toBe(404);
      expect(await said(report(installation, 'publica', topic, 'nadie.myshopify.com', more))).toEqual(other);
      expect(await installation.jobs()).toEqual([]);
    },
  );

  test('is of no use for a shop that gave its access to another app and has no store yet', async () => {
    const installation = await openTwo();
    const { credentials } = installation.context('shopify');
    const granted = {
      access_token: 'shpat_x',
      scope: '',
      expires_in: 3_600,
      refresh_token: 'shprt_x',
      refresh_token_expires_in: 90 * 86_400,
    };
    await credentials.put('ambato.myshopify.com', toInstall(granted, 'publica-id', now), null);
    expect((await report(installation, 'mi-app', 'orders/paid', 'ambato.myshopify.com')).status).toBe(404);
    await report(installation, 'mi-app', 'shop/redact', 'ambato.myshopify.com');
    expect(await installation.jobs()).toEqual([]);
    // The app it did install keeps what it says.
    expect((await report(installation, 'publica', 'orders/paid', 'ambato.myshopify.com')).status).toBe(200);
    await report(installation, 'publica', 'shop/redact', 'ambato.myshopify.com');
    expect((await installation.jobs()).map(({ kind }) => kind)).toEqual(['shop-event']);
  });

  test('may still ask for erasure after its store left the config, until the shop sells through another', async () => {
    const installation = await openTwo();
    const shop = { id: 'macas', platform: 'shopify', shop: 'macas.myshopify.com', now };
    await installation.ledger.stores.register({ ...shop, app: 'publica' });
    expect(await said(report(installation, 'publica', 'shop/redact', shop.shop))).toEqual([
      200,
      '{"status":"accepted"}',
    ]);
    expect(await said(report(installation, 'mi-app', 'shop/redact', shop.shop))).toEqual([
      200,
      '{"status":"ignored"}',
    ]);
    expect((await report(installation, 'publica', 'orders/paid', shop.shop)).status).toBe(404);
    await installation.ledger.stores.register({ ...shop, app: 'mi-app' });
    expect(await said(report(installation, 'publica', 'shop/redact', shop.shop))).toEqual([
      200,
      '{"status":"ignored"}',
    ]);
  });
});
