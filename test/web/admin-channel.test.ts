import { spawnSync } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { askRunning } from '../../src/cli/ask-running.ts';
import { parseConfig } from '../../src/config/load.ts';
import { openSecrets } from '../../src/config/secret.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { takeLock } from '../../src/ledger/lock.ts';
import { openAdminChannel, pipeOf, socketIn } from '../../src/web/admin/channel.ts';
import { type AdminDeps, createAdmin } from '../../src/web/admin/requests.ts';

const answer = z.object({ done: z.boolean(), says: z.string() });
const retry = { do: 'command', name: 'retry', input: { document: 'd1' } } as const;

interface Folder {
  /** Of the folder of the ledger. */
  mode?: number;
  /** Its name, below a new folder. */
  name?: string;
}

/** A config with a SQLite ledger, and a process that holds it and answers. */
async function open({ mode = 0o700, name = '.facturapuente' }: Folder = {}) {
  const root = await mkdtemp(join(tmpdir(), 'fp-admin-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const directory = join(root, name);
  await mkdir(directory, { recursive: true });
  await chmod(directory, mode);
  const file = join(root, 'facturapuente.config.json');
  const config = (more = {}) =>
    parseConfig(
      { publicUrl: 'https://a.ec', ledger: { directory }, accounts: {}, issuers: {}, stores: {}, ...more },
      { file, env: {} },
    );
  const asked: unknown[] = [];
  const admin = createAdmin({
    settings: { stores: new Map() },
    commands: {
      run: async (name: string, input: unknown) => {
        asked.push(input);
        return name === 'retry' ? { done: true, says: 'Repetido.' } : undefined;
      },
    },
    setupLedger: { get: async () => null, health: async () => ({ engine: 'sqlite' }) },
    installing: {},
    storing: {},
    log: silentLog,
  } as unknown as AdminDeps);
  const listen = async () => {
    const { admin: key } = await openSecrets(config());
    const warned: unknown[] = [];
    const log = { ...silentLog, warn: (fields: object) => void warned.push(fields) };
    const channel = await openAdminChannel(admin, { directory, key, log });
    onTestFinished(async () => channel?.close());
    return { channel, warned };
  };
  const ask = (more = {}) => askRunning(config(more), retry, answer);
  return { directory, config, listen, ask, asked };
}

describe('the socket', () => {
  test('answers whoever may enter the folder, and is its owner’s alone', async () => {
    const { directory, listen, ask, asked } = await open();
    const { channel } = await listen();
    expect((await stat(socketIn(directory))).mode & 0o777).toBe(0o600);
    expect(await ask()).toEqual({ done: true, says: 'Repetido.' });
    expect(asked).toEqual([retry.input]);
    await channel?.close();
    await expect(stat(socketIn(directory))).rejects.toThrow('ENOENT');
  });

  test('of a process that was killed is taken away by the next', async () => {
    const { directory, listen, ask } = await open();
    const left = `const s = require('node:net').createServer().listen(${JSON.stringify(socketIn(directory))}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', left]);
    expect((await lstat(socketIn(directory))).isSocket()).toBe(true);
    await expect(ask()).rejects.toMatchObject({ code: 'admin-unavailable' });
    await listen();
    expect(await ask()).toMatchObject({ done: true });
  });

  test('never takes the place of something else', async () => {
    const { directory, listen } = await open();
    await writeFile(socketIn(directory), 'mío');
    await expect(listen()).rejects.toMatchObject({ code: 'admin-unavailable' });
    expect(await readFile(socketIn(directory), 'utf8')).toBe('mío');
    await rm(socketIn(directory));
    await symlink(join(directory, 'otra'), socketIn(directory));
    await expect(listen()).rejects.toMatchObject({ code: 'admin-unavailable' });
  });

  test.each([0o770, 0o702, 0o777])('in a folder of mode %o is told nothing', async (mode) => {
    const { directory, ask } = await open();
    const heard: string[] = [];
    const rogue = createServer((socket) => socket.on('data', (part) => heard.push(String(part))));
    await new Promise<void>((done) => rogue.listen(socketIn(directory), done));
    onTestFinished(() => void rogue.close());
    await chmod(directory, mode);
    await expect(ask()).rejects.toMatchObject({ code: 'admin-unavailable' });
    expect(heard).toEqual([]);
  });

  test.skipIf(process.getuid?.() !== 0)('in a folder of another user is told nothing', async () => {
    const { directory, listen, ask, asked } = await open();
    await listen();
    spawnSync('chown', ['65534', directory]);
    await expect(ask()).rejects.toMatchObject({
      code: 'admin-unavailable',
      merchant: expect.stringContaining('sudo -u'),
    });
    expect(asked).toEqual([]);
  });
});

describe('where there can be no socket, the process goes on and commands are refused', () => {
  test.each([
    ['a folder others may enter', 'admin-unavailable', { mode: 0o755 }, 'chmod 700'],
    [
      'a path longer than the address of a socket',
      'admin-unavailable',
      { name: join('a'.repeat(100), '.facturapuente') },
      'más corta (ledger.directory)',
    ],
  ])('in %s, with %s', async (_where, code, folder, resolution) => {
    const { directory, listen, ask } = await open(folder);
    const refused = { code, merchant: expect.stringContaining(resolution) };
    const { channel, warned } = await listen();
    expect(channel).toBeNull();
    expect(warned).toMatchObject([{ err: refused, aviso: refused.merchant }]);
    expect(await readdir(directory)).toEqual(['secret.key']);
    await expect(ask()).rejects.toMatchObject(refused);
  });
});

test('the pipe of Windows is named by the secret and by who holds the ledger, so that nobody takes its name first', async () => {
  const { directory } = await open();
  const nameFor = (key: number) => pipeOf(directory, Buffer.alloc(32, key));
  const hold = (at: string) => {
    const unlock = takeLock(directory, { now: () => new Date(at) });
    onTestFinished(unlock);
    return unlock;
  };
  const unlock = hold('2026-11-27T10:00:00Z');
  const first = await nameFor(1);
  expect(first).toMatch(/^\\\\\.\\pipe\\facturapuente-[\da-f]{64}$/);
  expect(await nameFor(1)).toBe(first);
  expect(await nameFor(2)).not.toBe(first);
  unlock();
  hold('2026-11-27T10:00:01Z');
  expect(await nameFor(1)).not.toBe(first);
});

describe('a request', () => {
  test('that is unknown, malformed or too long is refused with a code', async () => {
    const { config, listen, asked } = await open();
    await listen();
    const ask = (request: unknown) => askRunning(config(), request as typeof retry, z.unknown());
    const refused = (code: string) => expect.objectContaining({ code });
    for (const request of [
      null,
      { do: 'nada' },
      { do: '__proto__' },
      { ...retry, name: 'x'.repeat(41) },
      { do: 'install', store: 'a', apply: true },
      { do: 'record-get', under: '@stores', name: 'x' },
      { do: 'command', name: 'no-hay', input: {} },
    ])
      await expect(ask(request)).rejects.toEqual(refused('versions-differ'));
    await expect(ask({ ...retry, input: 'x'.repeat(65_536) })).rejects.toEqual(refused('too-large'));
    await expect(ask({ do: 'install', store: 'otra', apply: true, by: 'ana' })).rejects.toEqual(
      refused('store-unknown'),
    );
    expect(asked).toEqual([{}]);
  });
});

test('nobody answers where no process holds the ledger', async () => {
  const { ask, directory } = await open();
  await expect(ask()).rejects.toMatchObject({
    code: 'admin-unavailable',
    merchant: expect.stringContaining(directory),
  });
});
