import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { openSettings } from '../../src/app/settings.ts';
import { parseConfig } from '../../src/config/load.ts';

const page = readFileSync(new URL('../../docs/config.md', import.meta.url), 'utf8');

it('the configuration that docs/config.md shows is accepted unchanged', async () => {
  const yaml = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const names = [...yaml.matchAll(/\$\{(\w+)\}/g)].map((found) => found[1] ?? '');
  const prefix: Record<string, string> = { WOO_CONSUMER_KEY: 'ck_', WOO_CONSUMER_SECRET: 'cs_' };
  const env = Object.fromEntries(
    names.map((name) => [name, `${prefix[name] ?? ''}valor-de-32-caracteres-de-${name.toLowerCase()}`]),
  );
  // The plain parser reads an unquoted ${NAME} as text too, so the file needs no special treatment here.
  const config = parseConfig(parse(yaml), { file: '/srv/facturapuente.config.yaml', env });
  const settings = await openSettings(config);
  expect([...settings.stores.keys()]).toEqual(['tienda-woo', 'tienda-shopify']);
});

it('the configuration the guide to WooCommerce shows is accepted unchanged', async () => {
  const guide = readFileSync(new URL('../../docs/woocommerce.md', import.meta.url), 'utf8');
  const yaml = (/```yaml\n([\s\S]*?)```/.exec(guide)?.[1] ?? '').replace(/^ {3}/gm, '');
  const env = { FACTURA_WEBHOOK_SECRET: 'Zp0rX7mVQyT3kLb9sWc2nHf6Dj4Gq8Ua' };
  const config = parseConfig(parse(yaml), { file: '/srv/facturapuente.config.yaml', env });
  const { stores } = await openSettings(config);
  expect(stores.get('tienda')).toMatchObject({
    shop: 'https://mitienda.ec',
    connection: { apiAccess: true },
  });
});
