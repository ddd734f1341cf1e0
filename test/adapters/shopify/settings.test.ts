import { describe, expect, test } from 'vitest';
import { shopify } from '../../../adapters/shopify/index.ts';
import { orderQuery } from '../../../adapters/shopify/queries.ts';
import { App, Connection, maxMetafieldSources } from '../../../adapters/shopify/settings.ts';

const connection = { app: 'main', shop: 'Mi-Tienda.MyShopify.com' };

describe('settings of a store', () => {
  test('name the shop by its lower-case myshopify domain', () => {
    const read = Connection.parse(connection);
    expect(shopify.shopOf(read)).toBe('mi-tienda.myshopify.com');
    expect(shopify.appOf(read)).toBe('main');
    expect(read.idSources[0]?.kind).toBe('note-attribute');
  });

  test.each(['tienda.com.ec', 'mi-tienda', 'https://mi-tienda.myshopify.com', 'a.b.myshopify.com'])(
    'refuse %s as a shop, with a Spanish sentence',
    (shop) => {
      expect(Connection.safeParse({ ...connection, shop }).error?.issues[0]?.message).toMatch(
        /dominio de la tienda/,
      );
    },
  );

  test('let a stand-in be on this machine only', () => {
    expect(Connection.parse({ ...connection, adminUrl: 'http://127.0.0.1:4001/' }).adminUrl).toBe(
      'http://127.0.0.1:4001',
    );
    expect(Connection.safeParse({ ...connection, adminUrl: 'https://evil.example.com' }).success).toBe(false);
    expect(Connection.safeParse({ ...connection, adminUrl: 'http://127.0.0.1.example.com' }).success).toBe(
      false,
    );
  });

  test('refuse what nobody knows, so that a typo is not silent', () => {
    expect(Connection.safeParse({ ...connection, acessToken: 'x' }).success).toBe(false);
  });
});

describe('sources of identifications', () => {
  const metafields = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      kind: 'customer-metafield',
      namespace: 'custom',
      key: `id_${at}`,
    }));
  const other = { kind: 'address2' };

  test('may be ten metafields of the customer: one answer of Shopify carries no more', () => {
    expect(Connection.parse({ ...connection, idSources: [...metafields(10), other] }).idSources).toHaveLength(
      11,
    );
    expect(orderQuery).toContain(`metafields(first: ${maxMetafieldSources}, keys: $idKeys)`);
  });

  test('beyond that are refused with both figures, so that none is left unread', () => {
    const read = Connection.safeParse({ ...connection, idSources: [...metafields(12), other] });
    expect(read.error?.issues.map(({ path, message }) => [path, message])).toEqual([
      [
        ['idSources'],
        'Hay 12 fuentes «customer-metafield» y Shopify entrega hasta 10 por pedido. Deje las 10 más usadas.',
      ],
    ]);
  });
});

describe('settings of an app', () => {
  test('need at least one client secret and default to API 2026-10', () => {
    expect(App.parse({ clientId: 'x', clientSecrets: ['a', 'b'] }).apiVersion).toBe('2026-10');
    expect(App.safeParse({ clientId: 'x', clientSecrets: [] }).error?.issues[0]?.message).toMatch(
      /Client secret/,
    );
    expect(App.safeParse({ clientId: 'x', clientSecrets: ['a'], apiVersion: 'latest' }).success).toBe(false);
  });
});

test('importing the adapter does not load the vendor library', async () => {
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');
  const script = `
    import { registerHooks } from 'node:module';
    const seen = [];
    registerHooks({ resolve(specifier, context, next) { seen.push(specifier); return next(specifier, context); } });
    await import('./adapters/shopify/index.ts');
    console.log(seen.filter((name) => name.startsWith('@shopify') || name === 'undici').join());
  `;
  const run = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect(run.stdout.trim()).toBe('');
});
