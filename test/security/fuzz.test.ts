import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { draws, seed } from '../support/chance.ts';
import { play } from './fuzz/play.ts';
import { openStage, type Stage } from './fuzz/stage.ts';

/** `npm run fuzz` asks for 100,000. */
const count = Number(process.env.FACTURAPUENTE_FUZZ ?? draws(1_000, 2_000));
const megabyte = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
/** What is still held once everything that could go is gone. */
function heldBytes(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

describe(`${count} requests nobody would send`, { timeout: 120_000 + count * 15 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.close());

  test('reach every endpoint of the app', () => {
    const paths = stage.routes.map(({ path }) => path);
    for (const path of ['/webhooks/:connection', '/service/webhook/:account', '/d/:rest'])
      expect(paths).toContain(path);
    expect(paths).toContain('/identificacion/:token');
    expect(paths).toContain('/shopify/auth');
    expect(paths).toContain('/panel/documento/:id');
    expect(paths).toContain('/mcp');
  });

  test('break nothing, hang nothing, tell nothing, and cost no memory that stays', async () => {
    const before = heldBytes();
    const began = performance.now();
    const { findings, statuses, slowestMs } = await play(stage, { count, seed });
    expect(findings).toEqual([]);
    const seconds = (performance.now() - began) / 1000;
    const grown = Math.round((heldBytes() - before) / megabyte);
    console.log(
      `${count} requests at ${stage.routes.length} routes in ${seconds.toFixed(1)} s, slowest ${slowestMs.toFixed(0)} ms, ${grown} MB more:`,
      JSON.stringify(statuses),
    );
    // Most are refused, and yet some get through every check: otherwise nothing behind the checks was tried.
    expect(statuses[200] ?? 0).toBeGreaterThan(count / 100);
    expect(grown).toBeLessThan(64);
    expect(process.memoryUsage().rss / megabyte).toBeLessThan(2_000);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('leave nothing of secrets and buyers in the log', async () => {
    const log = await stage.log();
    expect(log.length).toBeGreaterThan(0);
    // The log of the machine's own operator may name where things lie.
    const secrets = [...stage.hidden, ...stage.buyers].filter((text) => !text.startsWith('/'));
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
    expect(log).not.toContain('A request failed');
  });

  test('leave the product selling, with no document more than was sold', async () => {
    // One of the requests may have searched the shop for it.
    expect(stage.documents()).toBeLessThanOrEqual(2);
    await stage.sellsOn();
    expect(stage.documents()).toBe(2);
  });
});
