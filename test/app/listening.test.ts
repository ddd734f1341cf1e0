import { mkdtemp, rm } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openConnector } from '../../src/app/connector.ts';
import { parseConfig } from '../../src/config/load.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { eventually } from '../support/eventually.ts';
import { openRedisServer } from '../support/redis-server.ts';

async function open(changes: object, options: { host?: string } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'fp-listen-'));
  const written = { publicUrl: 'https://a.ec', port: 0, accounts: {}, issuers: {}, stores: {}, ...changes };
  const config = parseConfig(written, { file: join(folder, 'facturapuente.config.json'), env: {} });
  const connector = await openConnector({ config, role: 'web', log: silentLog, ...options });
  onTestFinished(async () => {
    await connector.close(0);
    await rm(folder, { recursive: true });
  });
  return connector;
}

const outside = Object.values(networkInterfaces())
  .flat()
  .find((face) => face?.family === 'IPv4' && !face.internal)?.address;
const answers = (url: string | null, host = outside) =>
  fetch(`http://${host}:${new URL(url ?? '').port}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );

test('unless the config says otherwise this machine alone is answered, at the metrics’ own port too', async () => {
  const { url, metricsUrl } = await open({ metrics: { port: 0 } });
  for (const each of [url, metricsUrl]) {
    expect(each).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await answers(each, '127.0.0.1')).toBe(true);
    if (outside !== undefined) expect(await answers(each)).toBe(false);
  }
});

test.each([
  ['host of the config', { host: '0.0.0.0' }, {}],
  ['--host', {}, { host: '0.0.0.0' }],
])('%s opens it to others, and what is told is the address that is bound', async (_how, changes, options) => {
  const { url } = await open(changes, options);
  expect(url).toMatch(/^http:\/\/0\.0\.0\.0:\d+$/);
  if (outside !== undefined) expect(await answers(url)).toBe(true);
});

test('a web process that runs no jobs answers at /readyz for the Redis of the queue too', async ({
  skip,
}) => {
  const server = await openRedisServer(['--maxmemory-policy', 'noeviction']);
  if (!server) return skip('redis-server is not installed');
  const { url } = await open({ redis: { url: server.url } });
  const readiness = async () => {
    const answer = await fetch(`${url}/readyz`);
    return `${answer.status} ${((await answer.json()) as { transport: string }).transport}`;
  };
  await eventually(async () => (await readiness()) === '200 ok', 'it to be ready');
  await server.client.config('SET', 'maxmemory', '1');
  expect(await readiness()).toBe('503 no-answer');
});
