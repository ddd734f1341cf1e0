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

const plain = { url: 'https://mitienda.ec', webhookSecrets: ['secreto'] };
const complaints = (changes: Record<string, unknown>): string[] =>
  connectionSchema.safeParse({ ...plain, ...changes }).error?.issues.map(({ message }) => message) ?? [];

test.each([
  ['https://mitienda.ec/', 'https://mitienda.ec'],
  [' https://MiTienda.ec:443/tienda// ', 'https://mitienda.ec/tienda'],
  ['http://127.0.0.1:8081/', 'http://127.0.0.1:8081'],
  ['http://localhost', 'http://localhost'],
])('the address %s is the shop %s', (url, shop) => {
  expect(woocommerce.shopOf(connectionSchema.parse({ ...plain, url }))).toBe(shop);
});

test.each([
  [{ url: 'http://mitienda.ec' }, /http sin cifrar/],
  [{ url: 'mitienda.ec' }, /no es una dirección web/],
  [{ url: 'https://ana:clave@mitienda.ec' }, /lleva usuario/],
  [{ url: undefined }, /Escriba en «url»/],
  [{ webhookSecrets: [], apiAccess: false }, /el secreto de los webhooks/],
  [{ apiAccess: false, consumerKey: 'ck_1', consumerSecret: 'cs_1' }, /no se usan claves/],
  [{ apiAccess: false, productDetails: true }, /borre «apiAccess: false»/],
  [{ webhookSecrets: 'secreto' }, /lista de secretos/],
  [{ webhookSecrets: [''] }, /está vacío/],
  [{ consumerKey: 'ck_1' }, /juntos, o ninguno/],
  [{ consumerKey: 'cs_1', consumerSecret: 'ck_1' }, /empieza con «ck_»/],
  [{ timeoutMs: 5 }, /menor a 1000/],
  [{ paidStatuses: 'processing' }, /«paidStatuses» es una lista/],
  [{ consumer_key: 'ck_1' }, /ajustes desconocidos: consumer_key/],
])('%o is refused with a Spanish sentence', (changes, sentence) => {
  expect(complaints(changes)).toEqual(expect.arrayContaining([expect.stringMatching(sentence)]));
});

test('defaults suit a plain Ecuadorian shop', () => {
  expect(connectionSchema.parse(plain)).toMatchObject({
    paidStatuses: ['processing', 'completed'],
    invoiceUnpaidMethods: [],
    timeoutMs: 20_000,
    queryStringAuth: false,
  });
  expect(connectionSchema.parse(plain).idSources.at(-1)).toBe('billing.company');
});

test('only a store configured without API access has no API', () => {
  const context = {
    clock: { now: () => new Date(0) },
    log: { info() {}, warn() {}, error() {} },
    userAgent: 'facturapuente',
    outbound: openOutbound(),
    credentials: memoryCredentials(),
  };
  const open = (more: object) =>
    woocommerce.openShop({ connection: connectionSchema.parse({ ...plain, ...more }), app: null }, context);
  expect(open({ apiAccess: false })).toBeNull();
  expect(open({})).not.toBeNull();
});

test('the connection for planning offline is complete', () => {
  const connection = woocommerce.demoConnection();
  expect(connectionSchema.parse(connection)).toEqual(connection);
});

const secrets = ['secreto-nuevo-de-al-menos-32-letras', 'secreto-viejo-de-al-menos-32-letras'];

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
  await updateCredentials(credentials, connection.url, () => ({ ...noCredentials, secrets }));
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
  await updateCredentials(credentials, connection.url, () => ({ ...noCredentials, uninstalled: true }));
  expect(await kind()).toBe('ignored');
  // Another store of the same installation goes on.
  await updateCredentials(credentials, connection.url, () => noCredentials);
  await updateCredentials(credentials, 'https://otra.ec', () => ({ ...noCredentials, uninstalled: true }));
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
