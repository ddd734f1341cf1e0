import { openTool, whole } from '../tool.ts';
import type { Plan } from './day.ts';

export interface Options {
  plan: Plan;
  json: boolean;
  /** The folder for pictures; null for none. */
  pictures: string | null;
}

const defaults = {
  shops: '10000',
  keys: '2000',
  orders: '1000000',
  workers: '4',
  cores: '4',
  backlog: '100000',
  outage: '60',
  seed: '1',
  from: '0',
  minutes: '1440',
};
type Asked = typeof defaults & { json: boolean; pictures?: string };

/** Reads the command line of `npm run fleet`. Throws a RangeError, or a CommanderError that is already printed. */
export function readOptions(args: readonly string[]): Options {
  const tool = openTool('fleet', 'Plays a Black Friday of many shops on virtual time (docs/scaling.md).')
    .option('--shops <count>', 'how many shops', defaults.shops)
    .option('--keys <count>', 'API keys they share', defaults.keys)
    .option('--orders <count>', 'orders of the day', defaults.orders)
    .option('--workers <count>', 'worker processes, of 64 slots each', defaults.workers)
    .option('--cores <count>', 'cores of the PostgreSQL server', defaults.cores)
    .option('--backlog <documents>', 'what one merchant has ready at 02:00; 0 for none', defaults.backlog)
    .option(
      '--outage <minutes>',
      'how long the tax service is down from 12:00; 0 for not at all',
      defaults.outage,
    )
    .option('--seed <number>', 'decides all of it', defaults.seed)
    .option('--from <minute>', 'the minute of the day it begins with', defaults.from)
    .option('--minutes <count>', 'how many minutes are sold; an hour more is played', defaults.minutes)
    .option('--pictures <folder>', 'write the pictures there')
    .option('--json', 'print the figures as JSON', false)
    .parse([...args], { from: 'user' });
  const asked = tool.opts<Asked>();
  const count = (name: keyof typeof defaults, least = 1) => whole(name, asked[name], least);
  const keys = count('keys', 2);
  const shops = count('shops', 2);
  if (shops < keys + 4) throw new RangeError(`--shops ${shops}: give at least four more than keys.`);
  const backlog = count('backlog', 0);
  const outage = count('outage', 0);
  return {
    plan: {
      ...{ seed: count('seed', 0), shops, keys, orders: count('orders') },
      ...{
        from: count('from', 0),
        minutes: count('minutes'),
        rest: 60,
        workers: count('workers'),
        cores: count('cores'),
      },
      lostAnswers: 0.001,
      backlog: backlog === 0 ? null : { documents: backlog, at: 120 },
      outage: outage === 0 ? null : { from: 720, minutes: outage },
    },
    json: asked.json,
    pictures: asked.pictures ?? null,
  };
}
