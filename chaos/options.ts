import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTool, whole } from '../bench/tool.ts';
import { type DisasterName, disasterNames } from './disasters.ts';
import { canMount } from './ledger-disk.ts';

/** Options of a run; they determine the schedule. */
export interface Plan {
  seed: number;
  orders: number;
  refunds: number;
  kills: number;
  /** API keys; each has three stores. */
  accounts: number;
}

export interface Options extends Plan {
  /** One `start` on SQLite instead of two `web` and two `worker` on PostgreSQL and Redis. */
  embedded: boolean;
  /** Existing servers, which are not restarted; null: own ones, which crash by the schedule. */
  servers: { databaseUrl: string; redisUrl: string } | null;
  /** In the order of disasters.ts. */
  disasters: DisasterName[];
  /** Speed of the shared clock relative to real time. */
  rate: number;
  json: boolean;
  /** Keeps logs and ledger even when every figure is right. */
  keep: boolean;
}

/** The command line options; numbers are still text. */
interface CommandOptions {
  orders: string;
  refunds?: string;
  kills?: string;
  seed: string;
  accounts: string;
  rate?: string;
  disasters?: string;
  databaseUrl?: string;
  redisUrl?: string;
  embedded: boolean;
  json: boolean;
  keep: boolean;
}

const openChaos = () =>
  openTool('chaos', 'Sells through kills, crashes and faults, and audits what it holds (docs/chaos.md).')
    .option('--orders <count>', 'how many orders', '200')
    .option('--refunds <count>', 'how many refunds (default: a quarter of the orders)')
    .option('--kills <count>', 'how many kill -9 (default: a tenth of the orders)')
    .option('--seed <number>', 'decides all of it', '1')
    .option('--accounts <count>', 'API keys, with three stores each', '20')
    .option('--rate <times>', 'how much faster than real time the clock runs (default: 60, few orders 400)')
    .option('--disasters <names>', `of ${disasterNames.join(', ')}; or none (default: all that fit)`)
    .option('--database-url <url>', 'a PostgreSQL to use as it is; goes with --redis-url')
    .option('--redis-url <url>', 'a Redis to use as it is; goes with --database-url')
    .option('--embedded', 'one start on SQLite instead of two web and two worker', false)
    .option('--json', 'print the figures as JSON', false)
    .option('--keep', 'keep logs and ledger even when every figure is right', false);

/**
 * Reads the command line. Throws a RangeError for a wrong value, and a CommanderError, already printed, for an unknown
 * option.
 */
export function readOptions(args: readonly string[]): Options {
  const values = openChaos().parse(args, { from: 'user' }).opts<CommandOptions>();
  const orders = whole('orders', values.orders, 1);
  const { databaseUrl, redisUrl } = values;
  if ((databaseUrl === undefined) !== (redisUrl === undefined))
    throw new RangeError('--database-url and --redis-url go together.');
  if (values.embedded && databaseUrl !== undefined)
    throw new RangeError('--embedded runs on SQLite; leave the servers out.');
  const servers = databaseUrl === undefined || redisUrl === undefined ? null : { databaseUrl, redisUrl };
  return {
    orders,
    refunds: whole('refunds', values.refunds ?? String(Math.floor(orders / 4))),
    kills: whole('kills', values.kills ?? String(Math.ceil(orders / 10))),
    seed: whole('seed', values.seed),
    accounts: whole('accounts', values.accounts, 1),
    // With few orders the waits dominate, so the clock runs faster; with many a slower clock is more exact.
    rate: whole('rate', values.rate ?? (orders <= 200 ? '400' : '60'), 1),
    embedded: values.embedded,
    servers,
    disasters: chosenDisasters(values.disasters, { embedded: values.embedded, borrowed: servers !== null }),
    json: values.json,
    keep: values.keep,
  };
}

/** One process has neither workers nor Redis, existing servers are neither filled nor restored, and not every system lets a process mount a disk. */
function chosenDisasters(
  asked: string | undefined,
  { embedded, borrowed }: { embedded: boolean; borrowed: boolean },
): DisasterName[] {
  const misfit = (name: DisasterName): string | null => {
    if (embedded && (name === 'redis-full' || name === 'workers-gone'))
      return 'wants Redis and workers; leave --embedded out.';
    if (borrowed && ['restored-ledger', 'disk-full', 'redis-full'].includes(name))
      return 'wants servers of its own; leave the addresses out.';
    if (name === 'disk-full' && !canMount(join(tmpdir(), `facturapuente-caos-disk-${process.pid}`)))
      return 'wants a system that lets it mount a disk (Linux, as root).';
    return null;
  };
  if (asked === undefined) return disasterNames.filter((name) => misfit(name) === null);
  const names = new Set(asked.split(',').filter((name) => name !== 'none'));
  for (const name of names) {
    if (!(disasterNames as string[]).includes(name))
      throw new RangeError(`--disasters ${name}: there are ${disasterNames.join(', ')}.`);
    const why = misfit(name as DisasterName);
    if (why !== null) throw new RangeError(`--disasters ${name} ${why}`);
  }
  return disasterNames.filter((name) => names.has(name));
}
