import { expect, test } from 'vitest';
import { openFreshnessWatch } from '../../src/steps/watch/freshness.ts';

const minute = 60_000;

/** A shop whose search stands at `sweptTo`, and the watches of the processes that look at it. */
function open() {
  let now = Date.parse('2026-11-20T15:00:00Z');
  const shop = { platform: 'woocommerce', shop: 'https://tienda.ec', storeId: 'tienda', behindSince: null };
  const row = { ...shop, sweptTo: '2026-11-20T15:00:00.000Z' };
  const told: string[] = [];
  const deps = {
    ledger: { sweeps: { freshness: async () => [{ ...row }] } },
    clock: { now: () => new Date(now) },
    alerts: {
      raise: async ({ what }: { what: string }) => void told.push(what),
      over: async () => void told.push('over'),
    },
    timings: { sweep: { every: 5 * minute } },
    storeOf: () => ({}),
    shop: () => ({}),
  } as unknown as Parameters<typeof openFreshnessWatch>[0];
  return {
    row,
    told,
    /** Another process, or the same after a restart. */
    process: () => openFreshnessWatch(deps),
    pass: (minutes: number) => {
      now += minutes * minute;
    },
  };
}

test('a shop nobody could search for an hour is told of, and over when the search moves on', async () => {
  const { row, told, process, pass } = open();
  const look = process();
  await look();
  pass(59);
  await look();
  expect(told).toEqual([]);
  pass(1);
  await look();
  expect(told).toEqual([expect.stringMatching(/^Hace una hora que no se logra revisar la tienda tienda/)]);
  row.sweptTo = '2026-11-20T16:00:00.000Z';
  await look();
  expect(told.at(-1)).toBe('over');
});

test('a process that starts while a shop is out of reach does not call it well again', async () => {
  const { told, process, pass } = open();
  const first = process();
  await first();
  pass(60);
  await first();
  await process()();
  expect(told).toHaveLength(1);
});
