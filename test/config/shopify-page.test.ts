import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openLiveSettings } from '../../src/app/settings.ts';
import { openCommandLine } from '../../src/cli/main.ts';
import { parseConfig } from '../../src/config/load.ts';

const page = readFileSync(new URL('../../docs/shopify.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/^( *)```yaml\n(.*?)^ *```$/gms)].map(([, indent = '', text = '']) =>
  text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
);
const env = {
  FACTURA_WEBHOOK_SECRET: 'Zp0rX7mVQyT3kLb9sWc2nHf6Dj4Gq8Ua',
  SHOPIFY_CLIENT_ID: 'id',
  SHOPIFY_CLIENT_SECRET: '0f8d4b1c6a92e7355d1b90c4a8f27e63',
  CLAVE_FERRETERIA: 'clave',
  SECRETO_FERRETERIA: 'secreto-de-la-ferreteria-0123456789abcdef',
};

test('the configuration of docs/shopify.md is accepted unchanged, with its own app and with one for many', async () => {
  const [whole = '', app = ''] = blocks;
  const written = parse(whole) as Record<string, object>;
  const { settings } = await openLiveSettings(parseConfig(written, { file: '/docs/shopify.yaml', env }));
  expect([...settings.stores.keys()]).toEqual(['tienda']);
  const both = { ...written, apps: { ...written.apps, ...(parse(app) as Record<string, object>).apps } };
  const { settings: many } = await openLiveSettings(parseConfig(both, { file: '/docs/shopify.yaml', env }));
  expect([...many.apps.keys()]).toEqual(['mi-app', 'facturacion']);
});

test('every command it names exists', () => {
  const help = openCommandLine().helpInformation();
  const named = [...page.matchAll(/facturapuente (install|start|sandbox|store|privacy)\b/g)];
  const names = new Set(named.map(([, name]) => name));
  expect(names.size).toBe(5);
  for (const name of names) expect(help).toMatch(new RegExp(`^ +${name}\\b`, 'm'));
});
