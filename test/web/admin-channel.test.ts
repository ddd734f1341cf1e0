import { spawnSync } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { askRunning } from '../../src/cli/ask-running.ts';
import { parseConfig } from '../../src/config/load.ts';
import { openSecrets } from '../../src/config/secret.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openAdminChannel, portFileIn, socketIn } from '../../src/web/admin/channel.ts';
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
    const channel = await openAdminChannel(admin, { directory, key, log: silentLog });
    onTestFinished(() => channel.close());
    return channel;
  };
  const ask = (more = {}) => askRunning(config(more), retry, answer);
  return { directory, config, listen, ask, asked };
}

describe('the socket', () => {
  test('answers whoever may enter the folder, and is its owner’s alone', async () => {
    const { directory, listen, ask, asked } = await open();
    const channel = await listen();
    expect(channel.at).toBe(socketIn(directory));
    expect((await stat(socketIn(directory))).mode & 0o777).toBe(0o600);
    expect(await ask()).toEqual({ done: true, says: 'Repetido.' });
    expect(asked).toEqual([retry.input]);
    await channel.close();
    await expect(stat(socketIn(directory))).rejects.toThrow('ENOENT');
  });

  test('of a process that was killed is taken away by the next', async () => {
    const { directory, listen, ask } = await open();
    const left = `const s = require('node:net').createServer().listen(${JSON.stringify(socketIn(directory))}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', left]);
    expect((await lstat(socketIn(directory))).isSocket()).toBe(true);
    await expect(ask()).rejects.toMatchObject({ code: 'install-no-answer' });
    await listen();
    expect(await ask()).toMatchObject({ done: true });
  });

  test('never takes the place of something else', async () => {
    const { directory, listen } = await open();
    await writeFile(socketIn(directory), 'mío');
    await expect(listen()).rejects.toMatchObject({ code: 'admin-place' });
    expect(await readFile(socketIn(directory), 'utf8')).toBe('mío');
    await rm(socketIn(directory));
    await symlink(join(directory, 'otra'), socketIn(directory));
    await expect(listen()).rejects.toMatchObject({ code: 'admin-place' });
  });

  test.each([0o770, 0o702, 0o777])('in a folder of mode %o is told nothing', async (mode) => {
    const { directory, ask } = await open();
    const heard: string[] = [];
    const rogue = createServer((socket) => socket.on('data', (part) => heard.push(String(part))));
    await new Promise<void>((done) => rogue.listen(socketIn(directory), done));
    onTestFinished(() => void rogue.close());
    await chmod(directory, mode);
    await expect(ask()).rejects.toMatchObject({ code: 'admin-unsafe' });
    expect(heard).toEqual([]);
  });

  test.skipIf(process.getuid?.() !== 0)('in a folder of another user is told nothing', async () => {
    const { directory, listen, ask, asked } = await open();
    await listen();
    spawnSync('chown', ['65534', directory]);
    await expect(ask()).rejects.toMatchObject({
      code: 'admin-unsafe',
      merchant: expect.stringContaining('sudo -u'),
    });
    expect(asked).toEqual([]);
  });
});

describe('where there can be no socket, a shared key', () => {
  test('opens a connection on 127.0.0.1, in a folder others may enter', async () => {
    const { directory, listen, ask, asked } = await open({ mode: 0o755 });
    const channel = await listen();
    expect(Number(await readFile(portFileIn(directory), 'utf8'))).toBe(channel.at);
    expect(await ask()).toEqual({ done: true, says: 'Repetido.' });
    expect(asked).toEqual([retry.input]);
    await channel.close();
    await expect(stat(portFileIn(directory))).rejects.toThrow('ENOENT');
  });

  test('and in one whose path is longer than the address of a socket', async () => {
    const { listen, ask } = await open({ name: join('a'.repeat(100), '.facturapuente') });
    expect(typeof (await listen()).at).toBe('number');
    expect(await ask()).toMatchObject({ done: true });
  });

  test('keeps out whoever has another one', async () => {
    const { directory, listen, ask, asked } = await open({ mode: 0o755 });
    await listen();
    // A former secret is kept as it is, so that the ledger stays readable.
    const kept = (await readFile(join(directory, 'secret.key'), 'utf8')).trim();
    const other = { secret: 'kX3vQ9sLw7Tz1Bn5Rm8Yd2Hf6Jc4Gp0A', oldSecrets: [kept] };
    await expect(ask(other)).rejects.toMatchObject({ code: 'install-no-answer' });
    expect(asked).toEqual([]);
  });

  test.each(['plain TCP', 'HTTP'])(
    'sends no body to a stranger who speaks %s at the told port',
    async (how) => {
      const { directory, ask } = await open({ mode: 0o755 });
      const heard: Buffer[] = [];
      const rogue = createServer((socket) =>
        socket
          .on('error', () => {})
          .on('data', (part) => {
            heard.push(part);
            socket.end(how === 'HTTP' ? 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}' : 'hola');
          }),
      );
      await new Promise<void>((done) => rogue.listen(0, '127.0.0.1', done));
      onTestFinished(() => void rogue.close());
      const { port } = rogue.address() as { port: number };
      await writeFile(portFileIn(directory), `${port}\n`);
      await expect(ask()).rejects.toMatchObject({ code: 'install-no-answer' });
      expect(heard.length).toBeGreaterThan(0);
      expect(Buffer.concat(heard).toString('latin1')).not.toMatch(/POST|retry|d1/);
    },
  );
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
      await expect(ask(request)).rejects.toEqual(refused('command-unreadable'));
    await expect(ask({ ...retry, input: 'x'.repeat(65_536) })).rejects.toEqual(refused('too-large'));
    await expect(ask({ do: 'install', store: 'otra', apply: true, by: 'ana' })).rejects.toEqual(
      refused('unknown-store'),
    );
    expect(asked).toEqual([{}]);
  });
});

test('nobody answers where no process holds the ledger', async () => {
  const { ask, directory } = await open();
  await expect(ask()).rejects.toMatchObject({
    code: 'install-no-answer',
    merchant: expect.stringContaining(dirname(join(directory, 'x'))),
  });
});
