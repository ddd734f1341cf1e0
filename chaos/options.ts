import { openTool, whole } from '../bench/tool.ts';

/** What one run is made of; the schedule follows from these alone. */
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
  /** Servers to use without restarting them; null: own ones, which crash as the schedule says. */
  servers: { databaseUrl: string; redisUrl: string } | null;
  /** How many times faster than real time the common clock runs. */
  rate: number;
  json: boolean;
  /** Keeps logs and ledger even when every figure is right. */
  keep: boolean;
}

/** What stands on the command line; numbers as text, until they are looked at. */
interface Asked {
  orders: string;
  refunds?: string;
  kills?: string;
  seed: string;
  accounts: string;
  rate?: string;
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
    .option('--database-url <url>', 'a PostgreSQL to use as it is; goes with --redis-url')
    .option('--redis-url <url>', 'a Redis to use as it is; goes with --database-url')
    .option('--embedded', 'one start on SQLite instead of two web and two worker', false)
    .option('--json', 'print the figures as JSON', false)
    .option('--keep', 'keep logs and ledger even when every figure is right', false);

/**
 * Reads the command line; throws a RangeError that says what is wrong, and CommanderError, told already, for what it
 * does not know.
 */
export function readOptions(args: readonly string[]): Options {
  const values = openChaos().parse(args, { from: 'user' }).opts<Asked>();
  const orders = whole('orders', values.orders, 1);
  const { databaseUrl, redisUrl } = values;
  if ((databaseUrl === undefined) !== (redisUrl === undefined))
    throw new RangeError('--database-url and --redis-url go together.');
  if (values.embedded && databaseUrl !== undefined)
    throw new RangeError('--embedded runs on SQLite; leave the servers out.');
  return {
    orders,
    refunds: whole('refunds', values.refunds ?? String(Math.floor(orders / 4))),
    kills: whole('kills', values.kills ?? String(Math.ceil(orders / 10))),
    seed: whole('seed', values.seed),
    accounts: whole('accounts', values.accounts, 1),
    // Few orders are over before an hour of waiting is; many need no hurry, and a calmer clock strikes truer.
    rate: whole('rate', values.rate ?? (orders <= 200 ? '400' : '60'), 1),
    embedded: values.embedded,
    servers: databaseUrl === undefined || redisUrl === undefined ? null : { databaseUrl, redisUrl },
    json: values.json,
    keep: values.keep,
  };
}
