import { mappingRatio } from './mapping.ts';
import { load, startBaseline, startProduct } from './processes.ts';
import { busyMinute } from './sandbox.ts';

/**
 * `npm run bench [-- --json]`: performance claims as ratios against a baseline of the same run, medians of five with
 * their spread (of the sandbox: one minute). Needs a build; uses this machine only.
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

const lines = [...mapping(), ...(await door()), ...(await calm()), ...(await sandbox())];
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
