import { expect, onTestFinished, test } from 'vitest';
import { memoryCredentials } from '../../../adapters/contract/index.ts';
import {
  noCredentials,
  readCredentials,
  type ShopCredentials,
  updateCredentials,
} from '../../../adapters/woocommerce/credentials.ts';
import { woocommerce } from '../../../adapters/woocommerce/index.ts';
import { receive } from '../../../adapters/woocommerce/receive.ts';
import { connectionSchema } from '../../../adapters/woocommerce/settings.ts';
import { openWooCommerceShop } from '../../../sandbox/shops/woocommerce-shop.ts';
import { openOutbound } from '../../../src/app/outbound.ts';
import { silentLog } from '../../../src/domain/ports.ts';
import { signed } from './recordings.ts';
import { clock, keys, paidOrder, shopError } from './shop.ts';

const secrets = ['secreto-nuevo-de-al-menos-32-letras', 'secreto-viejo-de-al-menos-32-letras'];
const plain = noCredentials;

test('a store without keys waits for them, and works the moment they come', async () => {
  const stand = await openWooCommerceShop({ orders: [paidOrder()], ...keys, clock });
  onTestFinished(() => stand.close());
  const credentials = memoryCredentials();
  const connection = connectionSchema.parse({ url: stand.url });
  const context = { clock, log: silentLog, userAgent: 'test', outbound: openOutbound(), credentials };
  const shop = woocommerce.openShop({ connection, app: null }, context);
  const error = await shopError(shop?.fetchOrder('29') ?? Promise.resolve());
  expect(error).toMatchObject({ code: 'shop-not-connected', disconnected: true });
  expect(stand.requests).toHaveLength(0);

  await updateCredentials(credentials, stand.url, (kept) => ({ ...kept, keys }));
  expect(await shop?.fetchOrder('29')).toMatchObject({ id: '29' });
});

test('a delivery verifies with the secret of the config, with ours, and with the one ours replaced', async () => {
  const credentials = memoryCredentials();
  const connection = connectionSchema.parse({ url: 'https://mitienda.ec', webhookSecrets: ['del-config'] });
  await updateCredentials(credentials, connection.url, () => ({ ...plain, secrets }));
  const kindWith = async (secret: string) =>
    (await receive(signed('order.updated', '{"id":7}', secret), connection, credentials)).kind;
  for (const secret of ['del-config', ...secrets]) expect(await kindWith(secret)).toBe('hint');
  expect(await kindWith('otro-secreto-cualquiera-de-32-letras')).toBe('refused');
});

test('a store without API access that was uninstalled ignores its webhooks', async () => {
  const credentials = memoryCredentials();
  const connection = connectionSchema.parse({
    url: 'https://mitienda.ec',
    apiAccess: false,
    webhookSecrets: ['del-config'],
  });
  const kind = async () =>
    (await receive(signed('order.updated', '{"id":7}', 'del-config'), connection, credentials)).kind;
  expect(await kind()).toBe('hint');
  await updateCredentials(credentials, connection.url, () => ({ ...plain, uninstalled: true }));
  expect(await kind()).toBe('ignored');
  // Another store of the same installation goes on.
  await updateCredentials(credentials, connection.url, () => plain);
  await updateCredentials(credentials, 'https://otra.ec', () => ({ ...plain, uninstalled: true }));
  expect(await kind()).toBe('hint');
});

test('what many change at once loses no change', async () => {
  const credentials = memoryCredentials();
  await Promise.all(
    Array.from({ length: 5 }, (_, at) =>
      updateCredentials(credentials, 'x', (kept: ShopCredentials) => {
        const done = Number(kept.keys?.consumerKey.slice(3) ?? 0);
        return { ...kept, keys: { consumerKey: `ck_${done + 1}`, consumerSecret: `cs_${at}` } };
      }),
    ),
  );
  expect((await readCredentials(credentials, 'x')).keys?.consumerKey).toBe('ck_5');
});
