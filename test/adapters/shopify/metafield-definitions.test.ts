import { describe, expect, test } from 'vitest';
import { openShopClient } from '../../../adapters/shopify/credentials.ts';
import { ensureDefinitions, metafieldKeys } from '../../../adapters/shopify/write-back.ts';
import type { ShopifyShopOptions } from '../../../sandbox/shops/shopify-shop.ts';
import { adminSchema } from '../../support/admin-schema.ts';
import { hasShared } from '../../support/shared.ts';
import { plainOrder } from './plain-order.ts';
import { app, context, openPair, token } from './shop.ts';

async function open(options: Partial<ShopifyShopOptions> = {}) {
  const { shop, connection } = await openPair(options);
  const client = openShopClient(app, connection, context());
  const ensure = (customerAccess = false) => ensureDefinitions(client, { customerAccess });
  const summary = async (customerAccess = false) =>
    Object.fromEntries((await ensure(customerAccess)).map(({ key, changes }) => [key, changes.join('+')]));
  const everyKey = (change: string, motivo = change) =>
    Object.fromEntries(metafieldKeys.map((key) => [key, key === 'motivo' ? motivo : change]));
  return { shop, ensure, summary, everyKey };
}

describe('the metafield definitions', () => {
  test('are created and pinned, and the merchant reads them; a second time everything is kept', async () => {
    const { shop, summary, everyKey } = await open();
    expect(await summary()).toEqual(everyKey('created+pinned'));
    expect(shop.requests.find(({ operation }) => operation === 'FacturapuenteDefine')?.variables).toEqual({
      definition: {
        key: 'estado',
        namespace: '$app:facturapuente',
        ownerType: 'ORDER',
        name: 'Factura: estado',
        type: 'single_line_text_field',
        pin: true,
        access: { admin: 'MERCHANT_READ', customerAccount: 'NONE' },
      },
    });
    const asked = shop.requests.length;
    expect(await summary()).toEqual(everyKey(''));
    expect(shop.requests).toHaveLength(asked + 1);
  });

  test('are readable by customer accounts if chosen, all but the reason of a hold', async () => {
    const { shop, summary, everyKey } = await open();
    expect(await summary(true)).toEqual(everyKey('created+pinned+granted', 'created+pinned'));
    expect(shop.definitions.get('pdf')?.customerAccount).toBe('READ');
    expect(shop.definitions.get('motivo')?.customerAccount).toBe('NONE');
    expect(await summary(true)).toEqual(everyKey(''));
    expect(await summary(false)).toEqual(everyKey('withdrawn', ''));
  });

  test('that somebody unpinned are pinned again, and a missing one is added', async () => {
    const { shop, summary, everyKey } = await open();
    await summary();
    shop.definitions.set('numero', {
      type: 'single_line_text_field',
      pinnedPosition: null,
      customerAccount: 'NONE',
    });
    shop.definitions.delete('pdf');
    expect(await summary()).toEqual({ ...everyKey(''), numero: 'pinned', pdf: 'created+pinned' });
  });

  test('are made without a pin where the merchant has pinned all that Shopify allows, and that is said', async () => {
    const { shop, ensure } = await open({ pinnedByOthers: 14 });
    const done = await ensure();
    expect(done.map(({ changes }) => changes.join('+'))).toEqual([
      ...Array(6).fill('created+pinned'),
      'created',
      'created',
    ]);
    expect(done.at(-1)?.problems).toEqual(['PINNED_LIMIT_REACHED']);
    expect(shop.definitions.size).toBe(8);
  });

  test('of another type are left alone and told', async () => {
    const { shop, ensure } = await open();
    shop.definitions.set('pdf', {
      type: 'single_line_text_field',
      pinnedPosition: 1,
      customerAccount: 'NONE',
    });
    const pdf = (await ensure()).find(({ key }) => key === 'pdf');
    expect(pdf).toEqual({ key: 'pdf', changes: [], problems: ['type is single_line_text_field, not url'] });
  });

  test('made by another process at the same moment are no mistake', async () => {
    const { shop, ensure } = await open();
    const taken = { userErrors: [{ field: ['key'], message: 'Key is in use', code: 'TAKEN' }] };
    const body = { data: { metafieldDefinitionCreate: taken } };
    for (const _ of metafieldKeys) shop.trouble({ status: 200, body }, 'FacturapuenteDefine');
    expect(
      (await ensure()).every(({ changes, problems }) => changes.length === 0 && problems.length === 0),
    ).toBe(true);
  });

  test('are ensured before the first write of a process and not again', async () => {
    const { client, shop } = await openPair(
      { orders: [plainOrder()] },
      { accessToken: token, customerAccess: true },
    );
    const held = {
      kind: 'factura' as const,
      sourceId: '1001',
      state: 'held' as const,
      number: null,
      accessKey: null,
      authorizedAt: null,
      pdfUrl: null,
      xmlUrl: null,
      reason: 'Falta la cédula.',
    };
    await client.writeBack('1001', [held]);
    await client.writeBack('1001', [{ ...held, reason: 'Falta el RUC.' }]);
    const count = (name: string) => shop.requests.filter(({ operation }) => operation === name).length;
    expect([count('FacturapuenteDefinitions'), count('FacturapuenteDefine')]).toEqual([1, 8]);
    expect(shop.definitions.get('estado')?.customerAccount).toBe('READ');
  });
});

test.skipIf(!hasShared)('the Admin schema 2026-10 takes all of it', async () => {
  const { summary, everyKey } = await open({ schema: adminSchema() });
  await summary();
  expect(await summary(true)).toEqual(everyKey('granted', ''));
});
