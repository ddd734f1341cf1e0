import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseConfig, planOrder } from '../../src/index.ts';
import { piece } from '../config/example.ts';

const golden = (name: string, file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../golden/${name}/${file}`, import.meta.url), 'utf8'));

const store = piece.woo;
const config = (stores: Record<string, object>, apps: Record<string, object> = {}) =>
  parseConfig(
    {
      publicUrl: 'https://facturas.ec',
      accounts: { principal: { baseUrl: 'https://servicio.example', apiKey: 'llave' } },
      issuers: { 'mi-empresa': piece.issuer },
      stores,
      apps,
    },
    { file: '/tienda/facturapuente.config.yaml', env: {} },
  );
const name = 'woocommerce-reembolso-por-unidades';
const order = golden(name, 'platform.json');
const refunds = golden(name, 'refunds.json');
const now = new Date('2026-11-20T17:00:00Z');

describe('planOrder', () => {
  test('makes the factura of a raw order by the config of its store', async () => {
    const { order: read, actions } = await planOrder(config({ tienda: store }), { order, now });
    expect(actions.map(({ kind, action, charged }) => [kind, action, charged])).toEqual([
      ['factura', 'emit', read.total],
    ]);
    expect(actions[0]?.body).toMatchObject({ emisor: { ruc: '1790012345001' }, tipo_emision: 1 });
  });

  test('makes the nota de crédito of refunds that were read apart, once there is a factura', async () => {
    const asIfAuthorized = { number: '001-001-000000123', date: '2026-11-20' };
    const { actions } = await planOrder(config({ tienda: store }), { order, refunds, asIfAuthorized, now });
    expect(actions.map(({ kind, action, document }) => [kind, action, document])).toEqual([
      ['factura', 'nothing', null],
      ['nota-credito', 'emit', '14.38'],
    ]);
  });

  test('plans what the store would: one that does not write back ignores the keys of another installation', async () => {
    const paid = order as { meta_data: object[] };
    const key = {
      id: 1,
      key: '_facturapuente_clave_acceso',
      value: '2011202601179001234500120010010000001231234567818',
    };
    const billed = { ...paid, meta_data: [...paid.meta_data, key] };
    const plans = async (writeBack: 'on' | 'off') =>
      (await planOrder(config({ tienda: { ...store, writeBack } }), { order: billed, now })).actions[0]
        ?.action;
    expect(await plans('on')).not.toBe('emit');
    expect(await plans('off')).toBe('emit');
  });

  test.each([
    [{ number: 'abc', date: '2026-11-20' }, /"abc"/],
    [{ number: '001-001-000000000', date: '2026-11-20' }, /001-001-000000000/],
    [{ number: '001-001-000000123', date: '2026-13-45' }, /2026-13-45/],
    [{ number: '001-001-000000123', date: '2099-01-01' }, /2099-01-01/],
  ])('refuses a factura that cannot exist: %j', async (asIfAuthorized, said) => {
    const planned = planOrder(config({ tienda: store }), { order, asIfAuthorized, now });
    await expect(planned).rejects.toThrow(said);
    await expect(planned).rejects.toMatchObject({ code: 'input-invalid' });
  });

  test('says of an order of Shopify’s GraphQL API what to give instead', async () => {
    const shop = { ...store, platform: 'shopify', connection: { shop: 'a.myshopify.com', app: 'app' } };
    const apps = {
      app: { platform: 'shopify', clientId: 'id', clientSecrets: ['secreto-de-la-aplicacion-0123456789'] },
    };
    const node = { id: 'gid://shopify/Order/1', refunds: [] };
    for (const body of [node, { order: node }, { data: { order: node } }])
      await expect(planOrder(config({ tienda: shop }, apps), { order: body, now })).rejects.toThrow(
        /GraphQL.*REST/,
      );
  });

  test('asks for the store where the config has several, and reads only what is an order', async () => {
    const two = config({ tienda: store, otra: { ...store, connection: { url: 'https://otra.example.ec' } } });
    await expect(planOrder(two, { order, now })).rejects.toMatchObject({ code: 'ambiguous' });
    await expect(planOrder(two, { order, store: 'tercera', now })).rejects.toMatchObject({
      code: 'store-unknown',
    });
    expect((await planOrder(two, { order, store: 'otra', now })).actions).toHaveLength(1);
    await expect(planOrder(two, { order: {}, store: 'otra', now })).rejects.toMatchObject({
      name: 'PayloadError',
    });
  });
});
