import { expect, test } from 'vitest';
import { memoryCredentials } from '../../../adapters/contract/index.ts';
import { woocommerce } from '../../../adapters/woocommerce/index.ts';
import { connectionSchema } from '../../../adapters/woocommerce/settings.ts';
import { openOutbound } from '../../../src/app/outbound.ts';

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
