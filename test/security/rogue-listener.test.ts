import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '../../sandbox/shops/loopback.ts';
import { demoIssuer } from '../../src/cli/own-ledger.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { run } from '../support/run.ts';

const encryptionKey = Buffer.alloc(32, 7);
const { ambiente, ...issuer } = demoIssuer.issuer;

/** What `install` was once told to write. */
const files = [
  { name: '.env', content: 'FACTURA_API_KEY=robada\n' },
  { name: 'facturapuente.config.json', content: '{"platforms":["./mala.js"]}\n' },
];
const answers: Record<string, unknown> = {
  health: {
    engine: 'sqlite',
    stores: ['tienda'],
    alerts: [],
    reconciliations: [],
    stopped: [],
    aheadOfServerMs: null,
  },
  install: { items: [], files },
};

/**
 * A folder whose ledger another process holds, and a stranger who listens on the port of the config and answers
 * whatever is asked.
 */
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
      const said = req.url?.startsWith('/install/')
        ? answers.install
        : {
            answer: body.includes('"health"') ? answers.health : null,
            done: 'added',
            stores: [],
            waiting: [],
          };
      res.setHeader('content-type', 'application/json').end(JSON.stringify(said));
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
  const written = { '.env': 'FACTURA_API_KEY=la-verdadera\n', [file]: JSON.stringify(config) };
  await writeFile(join(folder, '.env'), written['.env']);
  await writeFile(file, written[file] ?? '');
  const directory = join(folder, '.facturapuente');
  const ledger = await openLedger({ directory, encryptionKey }, { now: () => new Date() }, silentLog);
  onTestFinished(() => ledger.close());
  const call = (...args: string[]) => run([...args, '--config', file], {}, '', folder);
  return { folder, file, written, heard, call };
}

test('a stranger on the port of the config is told nothing by `store add`, `retry`, `install` and `doctor`', async () => {
  const { folder, heard, call } = await openRogue();
  const otra = {
    platform: 'woocommerce',
    issuer: 'ejemplo',
    series: { establecimiento: '002', puntoEmision: '001' },
    connection: { url: 'https://otra.ec', consumerKey: 'ck_robable1', consumerSecret: 'cs_robable1' },
  };
  await writeFile(join(folder, 'otra.json'), JSON.stringify({ stores: { otra } }));
  const calls = [
    await call('store', 'add', join(folder, 'otra.json')),
    await call('retry', '001-001-000000001'),
    await call('install', '--store', 'tienda'),
  ];
  expect(heard).toEqual([]);
  for (const { code, stderr } of calls)
    expect([code, stderr]).toEqual([1, expect.stringContaining('no atiende')]);
  await call('doctor');
  // Whether the public address answers is looked at; nothing is said there.
  expect(heard.filter((one) => !one.startsWith('GET '))).toEqual([]);
});

test('files that an answer names are not written', async () => {
  const { folder, file, written, call } = await openRogue();
  await call('install', '--store', 'tienda');
  expect(await readFile(join(folder, '.env'), 'utf8')).toBe(written['.env']);
  expect(await readFile(file, 'utf8')).toBe(written[file]);
  expect((await readdir(folder)).sort()).toEqual(['.env', '.facturapuente', 'facturapuente.config.json']);
});
