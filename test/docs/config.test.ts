import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openSettings } from '../../src/app/settings.ts';
import { parseConfig } from '../../src/config/load.ts';
import { configReference } from './config-reference.ts';
import { type ConfigSection, configSections } from './config-sections.ts';

test('docs/config.md tells every setting of the schema (npm run reference)', async () => {
  await expect(configReference()).toMatchFileSnapshot('../../docs/config.md');
});

// biome-ignore lint/suspicious/noExplicitAny: a config before it is parsed.
type Loose = any;

/** The parts together that every config needs, each the example of its section. */
const needed = configSections
  .filter(({ title }) => ['Accounts of the service', 'Issuers', 'Stores'].includes(title))
  .reduce((all, { example = '' }) => merged(all, parse(example)), {
    publicUrl: 'https://facturas.mitienda.ec',
  });

function merged(under: Loose, over: Loose): Loose {
  if (under === null || typeof under !== 'object' || Array.isArray(under)) return over;
  if (over === null || typeof over !== 'object' || Array.isArray(over)) return over;
  const names = Object.keys({ ...under, ...over });
  return Object.fromEntries(
    names.map((name) => [
      name,
      name in over && name in under ? merged(under[name], over[name]) : (over[name] ?? under[name]),
    ]),
  );
}

const examples = configSections.flatMap(({ title, example }) => (example ? [[title, example] as const] : []));

test.each<readonly [ConfigSection['title'], string]>(examples)(
  '%s: the example is accepted',
  async (_title, example) => {
    const env = Object.fromEntries(
      [...JSON.stringify([needed, example]).matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [
        name,
        `valor-de-${name.toLowerCase()}-largo-y-secreto`,
      ]),
    );
    const config = parseConfig(merged(needed, parse(example)), {
      file: '/srv/facturapuente.config.yaml',
      env,
    });
    expect([...(await openSettings(config)).stores.keys()]).toEqual(['tienda']);
  },
);
