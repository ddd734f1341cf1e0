import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { leaves } from '../docs/cli-reference.ts';
import { cuttable } from '../support/cuttable.ts';
import { eventually } from '../support/eventually.ts';
import { run } from '../support/run.ts';
import { hasPostgres, openDatabase, openEmptyDatabase } from '../support/servers.ts';

const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));
const hasLimits = spawnSync('prlimit', ['--version']).status === 0;
const password = 'clave-que-nadie-lee';
const closedPort = `postgresql://usuario:${password}@127.0.0.1:1/base`;
const sentence = /^No se puede usar la base PostgreSQL \([^)]+\)\. Revise .*\.\n$/;

const clock = { now: () => new Date() };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facturapuente-ledger-away-'));
  await writeFile(join(folder, 'store.json'), JSON.stringify({ stores: { otra: store('002') } }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const store = (puntoEmision: string) => ({
  platform: 'woocommerce',
  issuer: 'emisor',
  series: { establecimiento: '001', puntoEmision },
  connection: {
    url: `http://127.0.0.1:${puntoEmision}`,
    webhookSecrets: ['secreto-de-mi-tienda-0123456789abcdef'],
    consumerKey: `ck_${'0'.repeat(40)}`,
    consumerSecret: `cs_${'0'.repeat(40)}`,
  },
});

/** A config that knows everything but a ledger that answers. */
async function configOf(ledger: object): Promise<string> {
  const file = join(folder, `config-${Math.random()}.json`);
  const config = {
    publicUrl: 'http://127.0.0.1:1',
    port: 0,
    secret: 'un-secreto-de-al-menos-32-caracteres-para-pruebas',
    ledger,
    accounts: { cuenta: { baseUrl: 'http://127.0.0.1:1', apiKey: 'clave' } },
    issuers: {
      emisor: {
        account: 'cuenta',
        ambiente: 1,
        ruc: '1790012345001',
        razon_social: 'Mi Empresa',
        nombre_comercial: 'Mi Tienda',
        direccion_matriz: 'Quito',
        direccion_establecimiento: 'Quito',
        obligado_contabilidad: 'SI',
      },
    },
    stores: { tienda: store('001') },
  };
  await writeFile(file, JSON.stringify(config));
  return file;
}

/** Values of required arguments and options, by name; a new one must be added here. */
const given: Record<string, string> = {
  documento: '001-001-000000001',
  clave: '1'.repeat(49),
  pedido: '1201',
  código: 'document-differs',
  asunto: 'x',
  solicitud: '1',
  tienda: 'tienda',
  month: '2026-10',
  store: 'tienda',
  email: 'a@example.ec',
  usuario: 'ana',
  cuenta: 'cuenta',
  as: 'moved',
};
const extra: Record<string, string[]> = {
  'privacy export': ['--store', 'tienda', '--email', 'a@example.ec'],
  'privacy erase': ['--store', 'tienda', '--email', 'a@example.ec'],
};
/** Those whose config leads to no ledger, and move, which has its own. */
const without = ['plan', 'mcp', 'move'];

const withConfig = leaves().filter(
  ({ name, command }) => command.options.some(({ long }) => long === '--config') && !without.includes(name),
);

function argvOf({ name, command }: (typeof withConfig)[number]): string[] {
  const value = (word: string) => given[word] ?? expect.fail(`${name}: give ${word} in this test`);
  const words = command.registeredArguments
    .filter(({ required }) => required)
    .map((argument) => (argument.name() === 'archivo' ? join(folder, 'store.json') : value(argument.name())));
  const options = command.options
    .filter(({ mandatory, defaultValue }) => mandatory && defaultValue === undefined)
    .flatMap((option) => [option.long ?? '', value(option.attributeName())]);
  return [...name.split(' '), ...words, ...options, ...(extra[name] ?? [])];
}

describe('where PostgreSQL does not answer', () => {
  test.each(withConfig.map((leaf) => ({ ...leaf, title: leaf.name })))('$title says so', async (leaf) => {
    const file = await configOf({ url: closedPort });
    const { code, stdout, stderr } = await run([...argvOf(leaf), '--config', file]);
    const reported = leaf.name === 'doctor' ? stdout : stderr;
    expect(reported).toMatch(
      leaf.name === 'doctor' ? /PostgreSQL \(no acepta conexiones: ECONNREFUSED\)\. Revise/ : sentence,
    );
    expect(code).toBe(['doctor', 'close', 'verify-closes'].includes(leaf.name) ? 2 : 1);
    expect(stdout + stderr).not.toContain(password);
  });
});

describe('an address of PostgreSQL that cannot be one is refused without its password', () => {
  const senseless = `postgresql://usuario:${password}@127.0.0.1:puerto/base`;

  test.each([['start'], ['documents'], ['retry', '001-001-000000001']])('by %s', async (...args) => {
    const { code, stdout, stderr } = await run([...args, '--config', await configOf({ url: senseless })]);
    expect(stderr).toMatch(/ledger\.url|PostgreSQL/);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).not.toContain(password);
  });

  test.each([
    [senseless, /^La dirección de destino no es la de una base PostgreSQL.*\n$/],
    [
      closedPort,
      /PostgreSQL \(no acepta conexiones: ECONNREFUSED\).* la dirección de destino sea correcta\.\n$/,
    ],
    [`mysql://usuario:${password}@127.0.0.1/base`, /^La dirección de destino .*postgresql:\/\/.*\n$/],
  ])('by move', async (to, reported) => {
    const directory = join(folder, 'registro');
    await (await openLedger({ directory, encryptionKey: new Uint8Array(32) }, clock, silentLog)).close();
    const { code, stderr } = await run(['move', '--to', to, '--config', await configOf({ directory })]);
    expect(stderr).toMatch(reported);
    expect(stderr).not.toContain(password);
    expect(code).toBe(1);
  });
});

test('an assistant gets it as the answer of its tool', async () => {
  const args = [bin, 'mcp', '--config', await configOf({ url: closedPort })];
  const child = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(child);
  onTestFinished(() => client.close());
  const answer = await client.callTool({ name: 'pending', arguments: {} });
  expect(answer).toMatchObject({
    isError: true,
    content: [
      {
        text: expect.stringMatching(
          /^No se puede usar la base PostgreSQL \(no acepta conexiones: ECONNREFUSED\)/,
        ),
      },
    ],
  });
});

describe.skipIf(!hasLimits)('where the files of SQLite may not grow', () => {
  test.each([
    ['documents', 1],
    ['retry 001-001-000000001', 1],
    ['sync', 1],
    ['alerts', 1],
    ['close', 2],
    ['store add', 1],
  ])('%s says so and ends with %i', async (words, code) => {
    const directory = await mkdtemp(join(folder, 'lleno-'));
    await (await openLedger({ directory, encryptionKey: new Uint8Array(32) }, clock, silentLog)).close();
    const args = [...words.split(' '), ...(words === 'store add' ? [join(folder, 'store.json')] : [])];
    const command = [process.execPath, bin, ...args, '--config', await configOf({ directory })];
    // Less than the -shm file takes, without which nobody reads.
    const ran = spawnSync('prlimit', ['--fsize=16384', ...command], { encoding: 'utf8', timeout: 20_000 });
    expect(ran.stderr).toMatch(/^El registro se puede leer y no escribir: el disco está lleno.*\n$/);
    expect(ran.status).toBe(code);
  });
});

test('move says that there is no ledger to move, and makes none', async () => {
  const directory = join(folder, 'ninguno');
  const { code, stderr } = await run(['move', '--to', closedPort, '--config', await configOf({ directory })]);
  expect(stderr).toMatch(/^Todavía no hay registro en .*ninguno\. .*\n$/);
  expect(code).toBe(1);
  expect(existsSync(directory)).toBe(false);
});

describe.skipIf(!hasPostgres)('where PostgreSQL', () => {
  test('holds no ledger yet, a command that only looks says so', async () => {
    const database = await openEmptyDatabase();
    onTestFinished(database.drop);
    const { code, stderr } = await run(['documents', '--config', await configOf({ url: database.url })]);
    expect(stderr).toMatch(/^Todavía no hay registro en la base PostgreSQL.*\n$/);
    expect(code).toBe(1);
  });

  test.each([['documents'], ['retry', '001-001-000000001'], ['sync']])(
    'goes away under %s, it says so',
    async (...args) => {
      const database = await openDatabase();
      onTestFinished(database.drop);
      const locking = new pg.Client({ connectionString: database.url });
      await locking.connect();
      onTestFinished(() => locking.end());
      const table = { documents: 'documents', retry: 'documents', sync: 'reconciliations' }[args[0] ?? ''];
      await locking.query(`begin; lock table facturapuente.${table} in access exclusive mode`);
      const way = await cuttable(database.url);
      const ran = run([...args, '--config', await configOf({ url: way.url })]);
      const admin = new pg.Client({ connectionString: database.url });
      await admin.connect();
      onTestFinished(() => admin.end());
      const waits = async () => {
        const { rows } = await admin.query(
          "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        );
        return rows.length > 0;
      };
      await eventually(waits, 'the command to wait for the ledger');
      way.cut();
      const { code, stderr } = await ran;
      expect(stderr).toMatch(sentence);
      expect(code).toBe(1);
    },
  );
});
