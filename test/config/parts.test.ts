import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openClock } from '../../src/config/clock.ts';
import { configJsonSchema } from '../../src/config/json-schema.ts';
import { loadPlatforms } from '../../src/config/platforms.ts';
import { folderWith } from './example.ts';

test('docs/config.schema.json is current (npm run reference)', async () => {
  await expect(configJsonSchema()).toMatchFileSnapshot('../../docs/config.schema.json');
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
  await expect(loadPlatforms(['./empty.ts'], file)).rejects.toMatchObject({ code: 'platform-empty' });
  await expect(loadPlatforms(['./gone.ts'], file)).rejects.toMatchObject({ code: 'platform-unreadable' });
});
