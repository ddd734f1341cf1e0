import { expect, test } from 'vitest';
import type { ShownItem } from '../../../src/domain/checks.ts';
import { selfSignedCertificate, trustedCertificate } from '../../support/certificate.ts';
import { openBridge } from './bridge.ts';
import { clock, keys, paidOrder } from './shop.ts';

const open = (items: readonly ShownItem[]) =>
  items
    .filter(({ state, code }) => state !== 'ok' && code !== 'public-url' && code !== 'shop-installation')
    .map(({ code, state }) => [code, state]);
const resolutionOf = (items: readonly ShownItem[], code: string) =>
  items.find((item) => item.code === code && item.state !== 'ok')?.resolution ?? '';
const html = '<!doctype html><html><body><h1>Página</h1></body></html>';

type Options = Parameters<typeof openBridge>[0];
const withKeys = (more: Options = {}): Options => ({ ...more, connection: { ...keys, ...more?.connection } });

test('a shop in order has no fault', async () => {
  expect(open(await (await openBridge(withKeys())).install(false))).toEqual([]);
});

test('a shop in order that gave no keys yet lacks only those', async () => {
  expect(open(await (await openBridge()).install(false))).toEqual([['access', 'missing']]);
});

/** Before the first call, with keys or without; all such answers are in page-answers.test.ts. */
const before = [
  ['a firewall', { status: 403, body: html }, 'shop-blocked', /firewall o CDN/],
  [
    'plain permalinks, which WordPress redirects',
    {
      status: 301,
      headers: { location: '/wp-json/wc/v3/', 'x-redirect-by': 'WordPress' },
      body: '',
    },
    'shop-permalinks',
    /elija cualquier opción menos «Simple»/,
  ],
  [
    'a shop that moved to www',
    { status: 301, headers: { location: 'https://www.mitienda.ec/wp-json/wc/v3' }, body: '' },
    'shop-redirects',
    /https:\/\/www\.mitienda\.ec/,
  ],
  [
    'a password in front of the site',
    { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' }, body: html },
    'shop-blocked',
    /contraseña/,
  ],
] as const;

test.each(before)('%s is named with its resolution', async (_what, answer, code, resolution) => {
  for (const options of [withKeys(), {}]) {
    const bridge = await openBridge(options);
    bridge.stand.trouble(answer);
    const items = await bridge.install(false);
    expect(open(items)).toContainEqual([code, 'problem']);
    expect(resolutionOf(items, code)).toMatch(resolution);
  }
});

const inside: [string, Options, string, string, RegExp][] = [
  [
    'wrong keys',
    { connection: { consumerSecret: 'cs_otra' } },
    'shop-unauthorized',
    'problem',
    /clave y el secreto/,
  ],
  [
    'keys that may only read',
    { shop: { permissions: 'read' } },
    'shop-unauthorized',
    'problem',
    /lectura y escritura/,
  ],
  [
    'an old WooCommerce',
    { shop: { system: { version: '5.4.1' } } },
    'version',
    'problem',
    /WooCommerce 5\.4\.1/,
  ],
  ['a shop in euros', { shop: { system: { currency: 'EUR' } } }, 'shop-settings', 'problem', /cobra en EUR/],
  [
    'a shop that calculates no taxes',
    { shop: { system: { calculatesTaxes: false } } },
    'shop-settings',
    'problem',
    /Marque «Activar impuestos» en WooCommerce → Ajustes → General/,
  ],
  ...[
    [0, 'problem', /a 0 decimales, .* escriba 2 en WooCommerce → Ajustes → General/],
    [1, 'problem', /a 1 decimal, /],
    [3, 'warning', /con 3 decimales/],
    [4, 'warning', /con 4 decimales/],
  ].map(([decimals, state, resolution]): (typeof inside)[number] => [
    `a shop that reckons with ${decimals} decimals`,
    { shop: { system: { decimals: Number(decimals) } } },
    'shop-settings',
    String(state),
    resolution as RegExp,
  ]),
  ['a cron that sleeps', { shop: { system: { wpCron: false } } }, 'cron', 'warning', /DISABLE_WP_CRON/],
  [
    'a clock that goes wrong',
    { shop: { clock: { now: () => new Date(clock.now().getTime() + 20 * 60_000) } } },
    'account-clock',
    'problem',
    /20 minutos adelantado/,
  ],
  [
    'a checkout that asks for no identification',
    { shop: { orders: [paidOrder({ meta_data: [] })] } },
    'buyer-fields',
    'warning',
    /Ninguno de los últimos 1 pedidos/,
  ],
  ['a shop without orders', { shop: { orders: [] } }, 'buyer-fields', 'warning', /Todavía no hay pedidos/],
  [
    'a shop that is away',
    { connection: { url: 'http://127.0.0.1:9' } },
    'shop-unreachable',
    'problem',
    /en línea/,
  ],
  ['us without TLS', { publicUrl: 'http://facturas.mitienda.ec' }, 'public-url', 'problem', /https:\/\//],
  ['us at a private address', { publicUrl: 'https://192.168.1.10' }, 'public-url', 'problem', /privada/],
  [
    'us at a port WordPress avoids',
    { publicUrl: 'https://mitienda.ec:8443' },
    'public-url',
    'problem',
    /8443/,
  ],
  ['us unreachable', { publicUrl: 'https://127.0.0.1:9' }, 'public-url', 'problem', /facturapuente start/],
];

test.each(inside)('%s: named with its resolution', async (_what, options, code, state, resolution) => {
  const items = await (await openBridge(withKeys(options))).install(false);
  expect(items.filter((item) => item.code === code && item.state !== 'ok')).toMatchObject([{ state }]);
  expect(resolutionOf(items, code)).toMatch(resolution);
});

/** An order with a RUC and the names of a company it may have. */
const withRuc = (ruc: string, company = '', legalName?: string) => {
  const meta_data = [
    { id: 5, key: '_billing_ruc', value: ruc },
    ...(legalName === undefined ? [] : [{ id: 6, key: '_billing_razon_social', value: legalName }]),
  ];
  return paidOrder({
    meta_data,
    billing: { first_name: 'Ana', last_name: 'Torres', country: 'EC', company },
  });
};
test.each([
  ['a company without a name', withRuc('1790012345001'), true],
  ['a company whose name is its number', withRuc('1790012345001', '1790012345001'), true],
  ['a company with its name', withRuc('1790012345001', 'Ferretería Andina S.A.'), false],
  ['a company with its name in a field', withRuc('1790012345001', '', 'Ferretería Andina S.A.'), false],
  ['a public body, or a foreigner, whose RUC reads as both', withRuc('1760001550001'), false],
  ['a person', withRuc('1710034065001'), false],
  ['a cédula', paidOrder(), false],
])('of %s: whether the field of the company is missing', async (_who, order, isMissing) => {
  const bridge = await openBridge(withKeys({ shop: { orders: [order] } }));
  const items = await bridge.install(false);
  expect(open(items)).toEqual(isMissing ? [['buyer-fields', 'warning']] : []);
  if (isMissing)
    expect(resolutionOf(items, 'buyer-fields')).toMatch(/^1 de los últimos 1 pedidos trae el RUC/);
});

test('a shop whose taxes are off is in order where the rules of the merchant say the IVA', async () => {
  const bridge = await openBridge({ ...withKeys({ shop: { system: { calculatesTaxes: false } } }) });
  expect(open(await bridge.install(false, true))).toEqual([]);
});

test.each([
  [
    'that has no such setting',
    { status: 404, body: { code: 'rest_setting_setting_invalid', message: 'No.' } },
  ],
  [
    'that closes its settings',
    { status: 401, body: { code: 'woocommerce_rest_cannot_view', message: 'No.' } },
  ],
  ['that answers something else', { status: 200, body: [] }],
])('a shop %s is not said to calculate no taxes', async (_what, answer) => {
  const bridge = await openBridge(withKeys());
  bridge.stand.trouble({ status: 200, body: { settings: { currency: 'USD', number_of_decimals: 'x' } } });
  bridge.stand.trouble({ status: 200, body: { environment: { version: '11.0.1' } } });
  bridge.stand.trouble(answer);
  expect(open(await bridge.install(false))).toEqual([]);
});

test('a shop that is slow to tell its version is asked for everything else', async () => {
  const bridge = await openBridge(withKeys());
  bridge.stand.trouble({ status: 200, body: { settings: { currency: 'USD' } } });
  bridge.stand.trouble({ status: 504, body: html });
  expect(open(await bridge.install(false))).toEqual([['version', 'warning']]);
});

test('a TLS proxy that hides itself from WordPress is named, and so is a certificate nobody vouches for', async () => {
  const hidden = await openBridge(
    withKeys({ shop: { tls: trustedCertificate(), host: { knowsTls: false } } }),
  );
  const items = await hidden.install(false);
  expect(open(items)).toContainEqual(['shop-unauthorized', 'problem']);
  expect(resolutionOf(items, 'shop-unauthorized')).toMatch(/proxy.*HTTPS/);

  for (const options of [
    withKeys({ shop: { tls: selfSignedCertificate() } }),
    { shop: { tls: selfSignedCertificate() } },
  ])
    expect(open(await (await openBridge(options)).install(false))).toContainEqual([
      'shop-certificate',
      'problem',
    ]);
});

test('a shop that is to hand over keys over http is told that it will not', async () => {
  const items = await (await openBridge({ publicUrl: 'http://127.0.0.1:9' })).install(true);
  expect(resolutionOf(items, 'access')).toMatch(/enlace, que vale 24 horas: http:.*Con una dirección http/);
});

test('looking changes nothing, neither at the shop nor here', async () => {
  const bridge = await openBridge(withKeys());
  await bridge.install(false);
  expect(bridge.stand.webhooks()).toEqual([]);
  expect(await bridge.credentials.shops()).toEqual([]);
});

test('every resolution is a Spanish sentence', async () => {
  const bridge = await openBridge(
    withKeys({ shop: { system: { version: '5.0', currency: 'EUR', wpCron: false } } }),
  );
  for (const { resolution } of await bridge.install(false))
    if (resolution !== null) expect(resolution).toMatch(/^[A-ZÁÉÍÓÚ¿].*\.$/);
});
