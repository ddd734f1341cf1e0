import { behindBacklog, keysAtOnce, oneKey, openStock } from './dispatch.ts';
import { mappingRatio } from './mapping.ts';
import { load, runScript, startBaseline, startChild, startProduct } from './processes.ts';
import { busyMinute } from './sandbox.ts';

/**
 * `npm run bench [-- --json] [-- --only dispatch,door]`: performance claims as ratios against a baseline of the same
 * run, medians of five with their spread (of the sandbox and of one key's rate: one run). Needs a build; uses this
 * machine only.
 */
interface Line {
  line: string;
  unit: string;
  median: number;
  min: number;
  max: number;
  /** Empty where the figure is told for information only. */
  goal: string;
  met: boolean;
}

const rounds = 5;

function line(
  name: string,
  unit: string,
  values: readonly number[],
  goal?: { atLeast: number } | { below: number },
): Line {
  const sorted = [...values].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const spread = { line: name, unit, median, min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0 };
  if (!goal) return { ...spread, goal: '', met: true };
  return 'atLeast' in goal
    ? { ...spread, goal: `at least ${goal.atLeast}`, met: median >= goal.atLeast }
    : { ...spread, goal: `below ${goal.below}`, met: median < goal.below };
}

/** The door on SQLite against a bare handler that stores nothing; visited in turn, a fresh process each time. */
async function door(): Promise<Line[]> {
  const ratios: number[] = [];
  const absolute: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const bare = await startBaseline();
    const yardstick = await load(bare.url, 'closed', 3);
    await bare.stop();
    const product = await startProduct('web');
    const measured = await load(product.url, 'closed', 3);
    memory.push(product.residentMb());
    await product.stop();
    ratios.push(measured.perSecond / yardstick.perSecond);
    absolute.push(measured.perSecond);
  }
  return [
    line('door on SQLite / Express that verifies, parses, validates and stores nothing', 'ratio', ratios, {
      atLeast: 0.5,
    }),
    line('webhooks a second through the door, stored durably', 'per second', absolute),
    line('memory of the door after that load', 'MB', memory, { below: 250 }),
  ];
}

async function calm(): Promise<Line[]> {
  const p99: number[] = [];
  const busy: number[] = [];
  const ready: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const product = await startProduct('all');
    ready.push(product.readyMs);
    busy.push((await load(product.url, 'open', 4, 200)).p99);
    memory.push(product.residentMb());
    await product.stop();
    const door = await startProduct('web');
    p99.push((await load(door.url, 'open', 4, 200)).p99);
    await door.stop();
  }
  return [
    line('p99 of the door at 200 a second, open loop', 'ms', p99, { below: 25 }),
    line('the same with the worker doing the work in the same process', 'ms', busy),
    line('start until ready', 'ms', ready, { below: 1000 }),
    line('memory of start after that load', 'MB', memory, { below: 250 }),
  ];
}

/** The stand-in for the service: 2,000 emissions in one minute over ten keys, each announced by webhook. */
async function sandbox(): Promise<Line[]> {
  const minute = await busyMinute(2000, 60);
  const lost = 3 * minute.sent - minute.created - minute.authorised - minute.announced;
  return [
    line(
      'sandbox, 2,000 emissions in a minute: not created, not authorised, not announced or doubled',
      'documents',
      [lost + minute.duplicates],
      { below: 1 },
    ),
    line('memory of the sandbox after that minute', 'MB', [minute.memoryMb], { below: 300 }),
    line('p99 of an emission in that minute', 'ms', [minute.p99]),
    line('sandbox until its first answer', 'ms', [minute.readyMs], { below: 1000 }),
  ];
}

/** From parsed JSON to a checked body, of an order of ten lines; a shop's payload against itself, shops in turn. */
function mapping(): Line[] {
  const ratios = Array.from({ length: rounds }, () => ({
    shopify: mappingRatio('shopify'),
    woocommerce: mappingRatio('woocommerce'),
  }));
  const toBody = (of: 'shopify' | 'woocommerce', shop: string) =>
    line(
      `mapping a ${shop} order of 10 lines to a checked body / JSON.parse of it`,
      'ratio',
      ratios.map((round) => round[of]),
      { below: 5 },
    );
  return [toBody('shopify', 'Shopify'), toBody('woocommerce', 'WooCommerce')];
}

/** Work on its way to the service: one key's rate, its neighbours, many keys, and the whole way against bare POSTs. */
async function dispatch(): Promise<Line[]> {
  const from = await openStock();
  const { perMinute, throttled } = await oneKey(from);
  const { others, neighbour } = await behindBacklog(from);
  from.remove();
  const p99 = (values: readonly number[]) =>
    values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY;
  const one = await keysAtOnce(1);
  const many = await keysAtOnce(200);
  const stub = await startChild('stub-server.ts', []);
  const ways: { product: number; bare: number }[] = [];
  for (let round = 0; round < rounds; round += 1)
    ways.push(await runScript('end-to-end.ts', [stub.url, '3000']));
  await stub.stop();
  return [
    line(
      'documents a minute on one key with 10,000 waiting, over 3 minutes (of a clock three times as fast), of the 300 allowed',
      'documents',
      [perMinute],
      { atLeast: 270 },
    ),
    line('429 in those minutes', 'answers', [throttled], { below: 1 }),
    line('5-document stores behind that backlog: order to emission p99', 'ms', [p99(others)], {
      below: 2_001,
    }),
    line('the same of a store that shares the key of the backlog', 'ms', [p99(neighbour)]),
    line('200 keys at once / one key × 200', 'ratio', [many / (one * 200)], { atLeast: 0.95 }),
    line(
      'end to end (claim, map, POST to a stub, store answer) / bare undici Pool doing the same POSTs',
      'ratio',
      ways.map(({ product, bare }) => product / bare),
      { atLeast: 0.12 },
    ),
    line(
      'documents a second end to end in one process, durably',
      'per second',
      ways.map(({ product }) => product),
    ),
  ];
}

const parts = { mapping: async () => mapping(), door, calm, sandbox, dispatch };
const only = process.argv[process.argv.indexOf('--only') + 1]?.split(',') ?? [];
const chosen = Object.entries(parts).filter(
  ([name]) => !process.argv.includes('--only') || only.includes(name),
);
if (chosen.length === 0)
  throw new Error(`--only takes ${Object.keys(parts).join(', ')}, separated by commas.`);
const lines: Line[] = [];
for (const [, part] of chosen) lines.push(...(await part()));
if (process.argv.includes('--json')) console.log(JSON.stringify(lines, null, 2));
else {
  const show = (value: number) => (value < 10 ? value.toFixed(2) : Math.round(value).toString());
  for (const { line: name, unit, median, min, max, goal, met } of lines) {
    console.log(
      `${met ? 'ok  ' : 'MISS'} ${show(median)} ${unit} (${show(min)}..${show(max)}${goal && `, ${goal}`})  ${name}`,
    );
  }
}
process.exitCode = lines.every((one) => one.met) ? 0 : 1;
