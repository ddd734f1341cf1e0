import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { piece, settingsOf, shopify } from './example.ts';

const { issuer, woo, app } = piece;

describe('references', () => {
  test('a store gets its account, issuer, shop and policy', () => {
    const store = settingsOf({}).stores.get('tienda');
    expect(store).toMatchObject({
      shop: 'https://uno.ec',
      app: null,
      account: { id: 'principal', webhookSecrets: [] },
      issuer: { ruc: '1790012345001', ambiente: 1 },
      policy: {
        invoiceFrom: null,
        tax: { rules: [] },
        tips: { as: 'hold' },
        giftCardsSold: { as: 'nothing' },
      },
    });
    expect(store?.issuer).not.toHaveProperty('account');
  });

  test('an account is named by the SHA-256 of its key', () => {
    const expected = createHash('sha256').update('llave').digest('hex');
    expect(settingsOf({}).accounts.get('principal')?.keyHash).toBe(expected);
  });

  test('an account may have several keys while they are rotated: the newest comes first and names it', () => {
    const hash = (key: string) => createHash('sha256').update(key).digest('hex');
    const principal = { baseUrl: 'https://servicio.example', apiKeys: ['nueva', 'vieja'] };
    const account = settingsOf({ accounts: { principal } }).accounts.get('principal');
    expect(account).toMatchObject({
      keyHash: hash('nueva'),
      keys: [
        { apiKey: 'nueva', keyHash: hash('nueva') },
        { apiKey: 'vieja', keyHash: hash('vieja') },
      ],
    });
  });

  test.each([
    ['none', {}],
    ['both ways of writing them', { apiKey: 'a', apiKeys: ['b'] }],
    ['an empty list', { apiKeys: [] }],
    ['the same key twice', { apiKeys: ['a', 'a'] }],
  ])('an account with %s is refused', (_, keys) => {
    const principal = { baseUrl: 'https://servicio.example', ...keys };
    expect(() => settingsOf({ accounts: { principal } })).toThrow();
  });

  test('an account is called without TLS on this machine, and on a host the config names for it', () => {
    const at = (baseUrl: string, named = {}) => {
      const principal = { baseUrl, apiKey: 'llave', ...named };
      return () => settingsOf({ accounts: { principal } });
    };
    const sandbox = { plainHttpHost: 'sandbox' };
    for (const local of ['http://127.0.0.1:4010', 'http://localhost:4010', 'http://[::1]:4010'])
      expect(at(local)).not.toThrow();
    expect(at('http://sandbox:4010', sandbox)).not.toThrow();
    expect(at('https://servicio.example', sandbox)).not.toThrow();
    expect(at('http://servicio.example')).toThrow('saldrían sin cifrar');
    expect(at('http://10.0.0.7')).toThrow('saldrían sin cifrar');
    expect(at('http://servicio.example', sandbox)).toThrow('saldrían sin cifrar');
  });

  test('a store finds its app', () => {
    const settings = settingsOf({ apps: { 'mi-app': app }, stores: { tienda: piece.shopify } });
    expect(settings.stores.get('tienda')?.app).toEqual({
      id: 'mi-app',
      platform: shopify,
      settings: { clientId: 'abc' },
    });
  });

  test('the short forms of the tax policy are rules, after the written ones', () => {
    const policy = {
      tax: {
        byRateId: { 7: 5 },
        byClass: { libros: 0 },
        untaxed: 6,
        // biome-ignore lint/suspicious/noThenProperty: the word of the config; it is no function.
        rules: [{ when: { sku: 'SRV-*' }, then: { tipo: 'servicio' } }],
      },
    };
    const store = settingsOf({ stores: { tienda: { ...woo, policy } } }).stores.get('tienda');
    expect(store?.policy.tax.rules.map(({ when, means }) => [when, means])).toEqual([
      [{ sku: ['SRV-*'] }, { tipo: 'servicio' }],
      [{ rateId: ['7'] }, { iva: 5 }],
      [{ taxClass: ['libros'], untaxed: true }, { iva: 0 }],
      [{ untaxed: true }, { iva: 6 }],
    ]);
  });

  test('invoiceFrom as a day begins at midnight in Ecuador', () => {
    const store = settingsOf({ stores: { tienda: { ...woo, invoiceFrom: '2026-11-01' } } }).stores.get(
      'tienda',
    );
    expect(store?.policy.invoiceFrom?.toISOString()).toBe('2026-11-01T05:00:00.000Z');
  });
});

describe('what cannot be resolved is refused with its path', () => {
  const two = (second: object) => ({ stores: { uno: woo, dos: { ...woo, ...second } } });
  test.each([
    [
      'an unknown account',
      { issuers: { 'mi-empresa': { ...issuer, account: 'otra' } } },
      'issuers.mi-empresa.account: No existe «otra». Hay: principal.',
    ],
    [
      'an unknown issuer',
      { stores: { tienda: { ...woo, issuer: 'nadie' } } },
      'stores.tienda.issuer: No existe «nadie». Hay: mi-empresa.',
    ],
    [
      'an unknown platform',
      { stores: { tienda: { ...woo, platform: 'magento' } } },
      'stores.tienda.platform: No existe «magento». Hay: woocommerce, shopify.',
    ],
    [
      'a connection the platform refuses',
      { stores: { tienda: { ...woo, connection: {} } } },
      'stores.tienda.connection.url: Falta este dato.',
    ],
    [
      'an app that is not there',
      { stores: { tienda: piece.shopify } },
      'stores.tienda.connection: No existe «mi-app».',
    ],
    [
      'app settings the platform refuses',
      { apps: { 'mi-app': { platform: 'shopify' } } },
      'apps.mi-app.clientId: Falta este dato.',
    ],
    [
      'an app of a platform without apps',
      { apps: { 'mi-app': { platform: 'woocommerce' } } },
      'apps.mi-app: WooCommerce no usa apps',
    ],
    [
      'an app and a store of one name',
      { apps: { tienda: app } },
      'apps.tienda: Una tienda lleva el mismo nombre',
    ],
    ['two stores of one shop', two({}), 'stores.dos: Es la misma tienda que stores.uno (https://uno.ec)'],
    [
      'one series with two beginnings',
      two({
        connection: { url: 'https://dos.ec' },
        series: { establecimiento: '001', puntoEmision: '001', first: 500, firstCreditNote: 1 },
      }),
      'stores.dos.series.first: La serie 001-001 empieza en 1 en stores.uno',
    ],
    [
      'a test clock in production',
      { testClock: 'rate=60', issuers: { 'mi-empresa': { ...issuer, ambiente: 2 } } },
      'issuers.mi-empresa.ambiente: El reloj de prueba',
    ],
    [
      'production over plain HTTP',
      {
        accounts: {
          principal: { baseUrl: 'http://sandbox:4010', plainHttpHost: 'sandbox', apiKey: 'llave' },
        },
        issuers: { 'mi-empresa': { ...issuer, ambiente: 2 } },
      },
      'accounts.principal.baseUrl: En producción',
    ],
  ])('%s', (_what, parts, expected) => {
    expect(() => settingsOf(parts)).toThrow(expected);
  });

  test('all findings come at once', () => {
    const parts = { stores: { a: { ...woo, issuer: 'x' }, b: { ...woo, platform: 'y' } } };
    expect(() => settingsOf(parts)).toThrow(/stores\.a\.issuer[\s\S]*stores\.b\.platform/);
  });
});

describe('people of the panel', () => {
  const passwordHash = `scrypt:15:8:3:${'a'.repeat(22)}:${'b'.repeat(43)}`;
  const [ana, eva] = ['ana', 'eva'].map((user) => ({ user, passwordHash }));
  const refusal = (parts: Record<string, unknown>) => {
    try {
      settingsOf(parts);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };

  test('two with one name are refused, the operator included', () => {
    expect(refusal({ operator: ana, panel: { users: [eva] } })).toBeNull();
    expect(refusal({ panel: { users: [eva, ana, eva] } })).toContain(
      'panel.users.2.user: Ya hay un usuario «eva»',
    );
    expect(refusal({ operator: ana, panel: { users: [ana] } })).toContain('Ya hay un usuario «ana»');
  });

  test('an address without a mail server is refused, and so is what is no address', () => {
    const [operator, user] = [ana, eva].map((one) => ({ ...one, email: 'ana@mitienda.example' }));
    const mail = { url: 'smtps://correo.example.ec', from: 'facturas@mitienda.example' };
    expect(refusal({ operator, panel: { users: [user] }, mail })).toBeNull();
    expect(refusal({ operator })).toContain('operator.email: Falta mail');
    expect(refusal({ panel: { users: [ana, user] } })).toContain('panel.users.1.email: Falta mail');
    const wrong = { ...eva, email: 'eva@mitienda.example, otra@mitienda.example' };
    expect(refusal({ panel: { users: [wrong] }, mail })).toContain('No es una dirección de correo');
  });
});

test('a store that writes nothing back is for the test environment alone', () => {
  const store = { ...woo, writeBack: 'off' };
  expect(settingsOf({ stores: { tienda: store } }).stores.get('tienda')).toMatchObject({
    writesBack: false,
    policy: { buyer: { ask: false } },
  });
  const production = { issuers: { 'mi-empresa': { ...issuer, ambiente: 2 } }, stores: { tienda: store } };
  expect(() => settingsOf(production)).toThrow(/writeBack/);
});
