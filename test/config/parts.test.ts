import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openClock } from '../../src/config/load.ts';
import { loadPlatforms } from '../../src/config/resolve.ts';
import { configSchema } from '../../src/config/schema.ts';
import { folderWith } from './example.ts';

test('docs/config.schema.json is current (npm run reference)', async () => {
  const schema = { title: 'facturapuente.config', ...z.toJSONSchema(configSchema, { io: 'input' }) };
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('../../docs/config.schema.json');
});

test('a process without a test clock runs by the system clock, with one by the test clock', () => {
  const before = Date.now();
  expect(openClock().now().getTime()).toBeGreaterThanOrEqual(before);
  const anchor = new Date(before).toISOString();
  const dayLater = openClock(`anchor=${anchor},offset=86400000,rate=1`).now().getTime();
  expect(dayLater).toBeGreaterThanOrEqual(before + 86_400_000);
});

const adapter = `
export const mitienda = {
  name: 'mitienda', title: 'Mi Tienda', bodyLimit: 1, app: null, connection: { parse() {} },
  async receive() { return { kind: 'ping' }; }, readOrder() {}, shopOf() {}, appOf() { return null; },
};
export const other = 'no platform';
`;

test('a platform of a third party is loaded from beside the config file', async () => {
  const folder = await folderWith({ 'mitienda.ts': adapter });
  const platforms = await loadPlatforms(['./mitienda.ts'], join(folder, 'facturapuente.config.yaml'));
  expect(platforms.map(({ name }) => name)).toEqual(['mitienda']);
});

test('a platform that is not there, or exports none, is refused by name', async () => {
  const folder = await folderWith({ 'empty.ts': 'export const nothing = 1;' });
  const file = join(folder, 'facturapuente.config.yaml');
  await expect(loadPlatforms(['./empty.ts'], file)).rejects.toMatchObject({ code: 'config-invalid' });
  await expect(loadPlatforms(['./gone.ts'], file)).rejects.toMatchObject({ code: 'config-invalid' });
});
