import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { ivaRates } from '../../mappers/index.ts';
import { resolveSettings } from '../../src/config/resolve.ts';
import { configSchema } from '../../src/config/schema.ts';
import { definePlatform } from '../../src/domain/platform.ts';

/** A plain config: one account, one issuer, one WooCommerce-like store. */
export const plain = `
publicUrl: https://facturas.mitienda.ec/
accounts:
  principal:
    baseUrl: https://servicio.example
    apiKey: \${FACTURA_API_KEY}
    webhookSecrets: [\${FACTURA_WEBHOOK_SECRET}, el-secreto-anterior-0123456789abcdef]
issuers:
  mi-empresa:
    account: principal
    ambiente: 1
    ruc: '1790012345001'
    nombre_comercial: Mi Tienda
    direccion_matriz: Quito
    direccion_establecimiento: Quito
    obligado_contabilidad: SI
stores:
  tienda:
    platform: woocommerce
    issuer: mi-empresa
    series: { establecimiento: '001', puntoEmision: '002' }
    connection: { url: https://mitienda.ec }
`;
export const env = {
  FACTURA_API_KEY: 'llave',
  FACTURA_WEBHOOK_SECRET: 'secreto: } # nuevo del servicio 0123456789',
};

/** A folder of the test's own with these files in it. */
export async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fp-config-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

const shared = {
  bodyLimit: 1000,
  receive: async () => ({ kind: 'ping' }) as const,
  readOrder: () => {
    throw new Error('Config tests read no orders.');
  },
  readRefunds: () => [],
  openShop: () => null,
};
export const woocommerce = definePlatform<{ url: string }>({
  ...shared,
  name: 'woocommerce',
  title: 'WooCommerce',
  connection: z.strictObject({ url: z.url() }),
  app: null,
  shopOf: (connection) => connection.url,
  appOf: () => null,
  demoConnection: () => ({ url: 'https://demo.example' }),
});
export const shopify = definePlatform<{ shop: string; app: string }, { clientId: string }>({
  ...shared,
  name: 'shopify',
  title: 'Shopify',
  connection: z.strictObject({ shop: z.string(), app: z.string() }),
  app: z.strictObject({ clientId: z.string() }),
  shopOf: (connection) => connection.shop,
  appOf: (connection) => connection.app,
  demoConnection: () => ({ shop: 'demo', app: 'demo' }),
});

const issuer = {
  account: 'principal',
  ambiente: 1,
  ruc: '1790012345001',
  nombre_comercial: 'Mi Tienda',
  direccion_matriz: 'Quito',
  direccion_establecimiento: 'Quito',
  obligado_contabilidad: 'SI',
};
const woo = {
  platform: 'woocommerce',
  issuer: 'mi-empresa',
  series: { establecimiento: '001', puntoEmision: '001' },
  connection: { url: 'https://uno.ec' },
};

/** Pieces to build configs from. */
export const piece = {
  issuer,
  woo,
  shopify: { ...woo, platform: 'shopify', connection: { shop: 'uno.myshopify.com', app: 'mi-app' } },
  app: { platform: 'shopify', clientId: 'abc' },
};

/** Resolves a config in which only the given parts differ from a plain one. */
export function settingsOf(parts: Record<string, unknown>) {
  const config = configSchema.parse({
    publicUrl: 'https://facturas.ec',
    accounts: { principal: { baseUrl: 'https://servicio.example', apiKey: 'llave' } },
    issuers: { 'mi-empresa': issuer },
    stores: { tienda: woo },
    ...parts,
  });
  return resolveSettings(config, [woocommerce, shopify], ivaRates);
}
