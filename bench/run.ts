import { behindBacklog, keysAtOnce, oneKey, openStock } from './dispatch.ts';
import { endpoint } from './endpoint.ts';
import { grown } from './grown.ts';
import { type Line, line, rounds } from './line.ts';
import { longText } from './long-text.ts';
import { mappingRatio } from './mapping.ts';
import { memory } from './memory.ts';
import { openLoop } from './open-loop.ts';
import { readOptions } from './options.ts';
import { panel } from './panel.ts';
import { runScript, startChild } from './processes.ts';
import { busyMinute } from './sandbox.ts';
import { slowDisk } from './slow-disk.ts';
import { askedOrEnd } from './tool.ts';

/**
 * `npm run bench [-- --json] [-- --only endpoint,memory]`: performance claims as ratios against a baseline of the same
 * run, medians of five with their spread; the sandbox, one key's rate and memory are one long run each. Needs a build;
 * uses this machine only.
 */

/** The sandbox: 2,000 emissions in one minute over ten keys, each with its webhook. */
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

/** Jobs on their way to the service: one key's rate, other stores, many keys, and the whole way. */
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
  const ways: { product: number; cpuMs: number }[] = [];
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
      'documents a second end to end in one process, durably',
      'per second',
      ways.map(({ product }) => product),
      { atLeast: 400 },
    ),
    line(
      'processor time of a document on that way',
      'ms',
      ways.map(({ cpuMs }) => cpuMs),
    ),
  ];
}

const parts = {
  mapping: async () => mapping(),
  endpoint,
  'open-loop': openLoop,
  'slow-disk': slowDisk,
  grown,
  dispatch,
  memory,
  panel,
  'long-text': longText,
  sandbox,
};
const asked = askedOrEnd((args) => readOptions(args, Object.keys(parts)));
const chosen = Object.entries(parts).filter(([name]) => asked.parts.includes(name));
const lines: Line[] = [];
for (const [, part] of chosen) lines.push(...(await part()));
if (asked.json) console.log(JSON.stringify(lines, null, 2));
else {
  const show = (value: number) => (value < 10 ? value.toFixed(2) : Math.round(value).toString());
  for (const { line: name, unit, median, min, max, goal, met } of lines) {
    console.log(
      `${met ? 'ok  ' : 'MISS'} ${show(median)} ${unit} (${show(min)}..${show(max)}${goal && `, ${goal}`})  ${name}`,
    );
  }
}
process.exitCode = lines.every((one) => one.met) ? 0 : 1;
