import { parseArgs } from 'node:util';

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

/** Reads the command line; throws a RangeError that says what is wrong. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      orders: { type: 'string', default: '200' },
      refunds: { type: 'string' },
      kills: { type: 'string' },
      seed: { type: 'string', default: '1' },
      accounts: { type: 'string', default: '20' },
      rate: { type: 'string' },
      'database-url': { type: 'string' },
      'redis-url': { type: 'string' },
      embedded: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  });
  const whole = (name: string, text: string, least = 0) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least)
      throw new RangeError(`--${name} ${text}: give a whole number from ${least}.`);
    return value;
  };
  const orders = whole('orders', values.orders, 1);
  const databaseUrl = values['database-url'];
  const redisUrl = values['redis-url'];
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
