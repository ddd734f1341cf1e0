import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '../../sandbox/shops/loopback.ts';
import { demoIssuer } from '../../src/cli/given.ts';
import { run } from '../support/run.ts';

const { ambiente, ...issuer } = demoIssuer.issuer;

/** A folder with a config, and a stranger who listens on the port of the config and answers whatever is asked. */
async function openRogue() {
  const folder = await mkdtemp(join(tmpdir(), 'fp-rogue-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const heard: string[] = [];
  const rogue = await listenOnLoopback((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      const body = Buffer.concat(parts).toString();
      heard.push(`${req.method} ${req.url} ${body}`);
      res.setHeader('content-type', 'application/json').end('{}');
    });
  });
  onTestFinished(() => rogue.close());
  const file = join(folder, 'facturapuente.config.json');
  const config = {
    publicUrl: 'https://facturas.mitienda.ec',
    port: Number(new URL(rogue.url).port),
    accounts: { cuenta: { baseUrl: 'http://127.0.0.1:9', apiKey: 'clave-1' } },
    issuers: { ejemplo: { account: 'cuenta', ambiente, ...issuer } },
    stores: {
      tienda: {
        platform: 'woocommerce',
        issuer: 'ejemplo',
        series: { establecimiento: '001', puntoEmision: '001' },
        connection: { url: 'https://mitienda.ec' },
      },
    },
  };
  await writeFile(file, JSON.stringify(config));
  const call = (...args: string[]) => run([...args, '--config', file], {}, '', folder);
  return { folder, heard, call };
}

test('a stranger on the port of the config learns nothing from `store add`, `retry`, `install` and `doctor`', async () => {
  const { folder, heard, call } = await openRogue();
  const otra = {
    platform: 'woocommerce',
    issuer: 'ejemplo',
    series: { establecimiento: '002', puntoEmision: '001' },
    connection: { url: 'https://otra.ec', consumerKey: 'ck_robable1', consumerSecret: 'cs_robable1' },
  };
  await writeFile(join(folder, 'otra.json'), JSON.stringify({ stores: { otra } }));
  await call('store', 'add', join(folder, 'otra.json'));
  await call('retry', '001-001-000000001');
  await call('install', '--store', 'tienda');
  expect(heard).toEqual([]);
  await call('doctor');
  // Whether the public address answers is looked at; nothing is said there.
  expect(heard.filter((one) => !one.startsWith('GET '))).toEqual([]);
});
