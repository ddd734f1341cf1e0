import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, globSync, mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '../sandbox/shops/loopback.ts';
import { borrowServers } from './borrowed-servers.ts';
import type { LedgerDisk } from './ledger-disk.ts';
import type { Options } from './options.ts';

/** The servers the product runs on, for this run alone. */
export interface Servers {
  databaseUrl: string;
  redisUrl: string;
  redisPrefix: string;
  /** Stops a server, at once or cleanly, and restarts it; resolves when it answers. */
  restart(server: 'postgres' | 'redis', crash: boolean): Promise<void>;
  /** Lets Redis refuse every write that takes memory, or take them again; a restart of Redis ends it. */
  fillRedis(full: boolean): Promise<void>;
  /** Stops the database cleanly while its directory is used. */
  whileDown(act: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** null: the run is embedded and needs none. */
export async function openServers(
  options: Options,
  folder: string,
  disk: LedgerDisk,
): Promise<Servers | null> {
  if (options.embedded) return null;
  if (options.servers) return borrowServers(options.servers);
  return ownServers(folder, disk);
}

interface Server {
  end(crash: boolean): Promise<void>;
  start(): Promise<void>;
}

/** PostgreSQL and Redis from the installed binaries, on free ports, in their own folder. */
async function ownServers(folder: string, disk: LedgerDisk): Promise<Servers> {
  const [postgresPort, redisPort] = [await freePort(), await freePort()];
  const postgres = ownPostgres(disk.directory, postgresPort);
  const redis = ownRedis(join(folder, 'redis'), redisPort);
  await Promise.all([postgres.start(), redis.start()]);
  const all = { postgres, redis };
  return {
    databaseUrl: `postgresql://postgres@127.0.0.1:${postgresPort}/postgres`,
    redisUrl: `redis://127.0.0.1:${redisPort}`,
    redisPrefix: '{caos}',
    async restart(name, crash) {
      await all[name].end(crash);
      await all[name].start();
    },
    async fillRedis(full) {
      const client = new Redis(redisPort, '127.0.0.1');
      // 0: no limit. Its policy is noeviction by default.
      await client.config('SET', 'maxmemory', full ? '1' : '0').finally(() => client.disconnect());
    },
    async whileDown(act) {
      await postgres.end(false);
      await act();
      await postgres.start();
    },
    async close() {
      await Promise.all([postgres.end(false), redis.end(true)]);
    },
  };
}

function ownPostgres(directory: string, port: number): Server {
  const bin = globSync('/usr/lib/postgresql/*/bin').sort().at(-1);
  if (!bin) throw new Error('No PostgreSQL under /usr/lib/postgresql; give --database-url and --redis-url.');
  // PostgreSQL refuses to run as root.
  const asUser =
    process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : [];
  const command = (program: string, args: string[]): [string, string[]] => {
    const [first = '', ...rest] = [...asUser, join(bin, program), ...args];
    return [first, rest];
  };
  mkdirSync(directory);
  if (asUser.length > 0) {
    for (let above = dirname(directory); above !== tmpdir() && above !== '/'; above = dirname(above))
      chmodSync(above, 0o755);
    execFileSync('chown', ['postgres', directory]);
  }
  execFileSync(
    ...command('initdb', [
      '-D',
      directory,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-locale',
      '--no-sync',
    ]),
    { cwd: '/', stdio: 'ignore' },
  );
  const settings = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${directory}`,
    'max_connections=100',
    'max_wal_size=64MB',
  ];
  const args = ['-D', directory, '-p', String(port), ...settings.flatMap((one) => ['-c', one])];
  // SIGQUIT ends every backend where it stands, and the next start recovers from the log; SIGINT closes in order.
  return server(() => command('postgres', args), port, { crash: 'SIGQUIT', order: 'SIGINT' });
}

/** Without persistence: its content is gone after every stop. */
function ownRedis(directory: string, port: number): Server {
  if (!existsSync('/usr/bin/redis-server'))
    throw new Error('No redis-server; give --database-url and --redis-url.');
  mkdirSync(directory);
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    directory,
  ];
  return server(() => ['/usr/bin/redis-server', args], port, { crash: 'SIGKILL', order: 'SIGTERM' });
}

function server(
  command: () => [string, string[]],
  port: number,
  signals: { crash: NodeJS.Signals; order: NodeJS.Signals },
): Server {
  let child: ChildProcess | undefined;
  return {
    async start() {
      const [program, args] = command();
      child = spawn(program, args, { stdio: 'ignore', cwd: '/' });
      for (let tries = 0; !(await answers(port)); tries += 1) {
        if (tries > 600) throw new Error(`${program} does not answer at port ${port}.`);
        await pause(25);
      }
    },
    async end(crash) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill(crash ? signals.crash : signals.order);
      await exited;
    },
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
