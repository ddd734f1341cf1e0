import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../sandbox/shops/loopback.ts';
import { hasPostgres, hasRedis, openDatabase, openKeys, redisUrl } from './databases.ts';
import { install, oneStore } from './installation.ts';
import { type Line, line } from './line.ts';
import type { Loaded, LoadOptions } from './load.ts';
import { here, imageOptions, type ProductStart, type Served, type Starter } from './starter.ts';

export const whole = { rounds: 3, seconds: 3, warmUpSeconds: 1, burst: 2_000, perSecond: 1_000 };

interface Visit extends Loaded {
  residentMb: number;
}

interface Round {
  bare: Visit;
  bareBurst: Loaded;
  sqlite: Visit;
  image: Visit;
  open: Loaded;
  burst: Loaded;
  withWorker: Loaded & { readyMs: number };
  /** Null without a compiler for bench/slow-fsync.c. */
  slow: Visit | null;
  /** Null without PostgreSQL and Redis. */
  servers: { postgres: Visit; naive: Visit } | null;
}

/** The endpoint and its baselines, measured in turn, each with a fresh process and an empty store. */
export async function endpoint(start: Starter, amounts = whole): Promise<Line[]> {
  const { rounds, seconds, warmUpSeconds } = amounts;
  const slowDisk = slowDiskOptions(start);
  const withServers = (await hasPostgres()) && (await hasRedis());
  const skipped = [
    ...(withServers ? [] : ['the endpoint on PostgreSQL: PostgreSQL or Redis does not answer']),
    ...(slowDisk ? [] : ['the slow disk: there is no gcc to compile bench/slow-fsync.c']),
  ];
  for (const one of skipped) console.error(`Skipped ${one}.`);

  const run = (url: string, mode: LoadOptions['mode'], more: Partial<LoadOptions> = {}) =>
    start.task('load', { url, mode, seconds, warmUpSeconds, ...more });
  const closed = async (server: Served): Promise<Visit> => {
    const loaded = await run(server.url, 'closed');
    const residentMb = server.residentMb();
    await server.stop();
    return { ...loaded, residentMb };
  };
  const product = async (how: ProductStart, ledger?: { url: string }) => {
    const port = await freePort();
    return start.product(install(start.folder(), { ...oneStore, port, ...(ledger ? { ledger } : {}) }), how);
  };

  async function burstOf(server: Served, firstId = 1): Promise<Loaded> {
    return run(server.url, 'burst', { count: amounts.burst, firstId });
  }

  async function onServers(): Promise<Round['servers']> {
    const [ours, theirs] = [await openDatabase(start), await openDatabase(start)];
    const keys = openKeys(start);
    const postgres = await closed(await product({ role: 'web' }, { url: ours }));
    const options = { databaseUrl: theirs, redisUrl, prefix: keys.prefix };
    return { postgres, naive: await closed(await start.server('naive', options)) };
  }

  const measured: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const bare = await closed(await start.server('baseline', undefined));
    const bareServer = await start.server('baseline', undefined);
    const bareBurst = await burstOf(bareServer);
    await bareServer.stop();
    const sqlite = await closed(await product({ role: 'web' }));
    const image = await closed(await product({ role: 'web', ...imageOptions() }));
    const calm = await product({ role: 'web' });
    const open = await run(calm.url, 'open', { perSecond: amounts.perSecond });
    const burst = await burstOf(calm, open.nextId);
    await calm.stop();
    const busy = await product({ role: 'all' });
    const withWorker = { ...(await run(busy.url, 'open', { perSecond: 200 })), readyMs: busy.readyMs };
    await busy.stop();
    const slow = slowDisk && (await closed(await product({ role: 'web', env: slowDisk })));
    const servers = withServers ? await onServers() : null;
    measured.push({ bare, bareBurst, sqlite, image, open, burst, withWorker, slow, servers });
  }
  return linesOf(measured);
}

/** The variables with which each flush to disk takes 5 ms longer. */
function slowDiskOptions(start: Starter): NodeJS.ProcessEnv | null {
  const shim = join(start.folder(), 'slow-fsync.so');
  const built = spawnSync('gcc', ['-shared', '-fPIC', '-O2', '-o', shim, here('slow-fsync.c')]);
  return built.status === 0 ? { LD_PRELOAD: shim, SLOW_FSYNC_MS: '5' } : null;
}

function linesOf(rounds: readonly Round[]): Line[] {
  const values = (of: (round: Round) => number) => rounds.map(of);
  const onSlowDisk = rounds.flatMap(({ slow, bare }) => (slow ? [slow.perSecond / bare.perSecond] : []));
  const servers = rounds.flatMap((round) => (round.servers ? [{ ...round.servers, bare: round.bare }] : []));
  return [
    line(
      'Endpoint on SQLite / Express that verifies, parses, validates and stores nothing',
      '',
      values(({ bare, sqlite }) => sqlite.perSecond / bare.perSecond),
      { atLeast: 0.6 },
    ),
    ...(onSlowDisk.length === 0
      ? []
      : [line('The same, flushes 5 ms slower', '', onSlowDisk, { atLeast: 0.15 })]),
    line(
      'Webhooks a second, stored durably, on SQLite',
      '',
      values(({ sqlite }) => sqlite.perSecond),
    ),
    ...(servers.length === 0 ? [] : serverLines(servers)),
    line(
      'p99 at 1,000 a second, open loop, SQLite',
      'ms',
      values(({ open }) => open.p99),
      { atMost: 25 },
    ),
    line(
      'p99 at 200 a second with the worker in the same process',
      'ms',
      values(({ withWorker }) => withWorker.p99),
      { atMost: 25 },
    ),
    line(
      '2,000 webhooks at the same instant, until the last is answered',
      'ms',
      values(({ burst }) => burst.lastedMs),
      { atMost: 1_000 },
    ),
    line(
      'The same of the handler that stores nothing',
      'ms',
      values(({ bareBurst }) => bareBurst.lastedMs),
    ),
    line(
      '`start` until ready',
      'ms',
      values(({ withWorker }) => withWorker.readyMs),
      { atMost: 1_000 },
    ),
    line(
      'Memory of the endpoint after its load, as the image starts it',
      'MB',
      values(({ image }) => image.residentMb),
      { atMost: 250 },
    ),
    line(
      'Webhooks a second then',
      '',
      values(({ image }) => image.perSecond),
    ),
    line(
      'Memory with Node’s default options; it grows with the rate',
      'MB',
      values(({ sqlite }) => sqlite.residentMb),
    ),
  ];
}

function serverLines(rounds: readonly { bare: Visit; postgres: Visit; naive: Visit }[]): Line[] {
  return [
    line(
      'Webhooks a second, stored durably, on PostgreSQL',
      '',
      rounds.map(({ postgres }) => postgres.perSecond),
    ),
    line(
      'Endpoint on PostgreSQL / the handler that stores nothing',
      '',
      rounds.map(({ bare, postgres }) => postgres.perSecond / bare.perSecond),
      { atLeast: 0.3 },
    ),
    line(
      'Endpoint on PostgreSQL / a naive Express handler with one INSERT and one BullMQ job each',
      '',
      rounds.map(({ postgres, naive }) => postgres.perSecond / naive.perSecond),
      { atLeast: 1.5 },
    ),
    line(
      'p99 of the same two, 64 at once',
      '',
      rounds.map(({ postgres, naive }) => postgres.p99 / naive.p99),
    ),
  ];
}
