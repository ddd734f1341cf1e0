import { expect, test } from 'vitest';
import type { Behind } from '../../src/domain/sweep-lists.ts';
import { openFreshnessWatch } from '../../src/jobs/watch/watch.ts';

const minute = 60_000;

/** A shop whose search stands at `sweptTo`, and the watches of the processes that look at it. */
function open() {
  let now = Date.parse('2026-11-20T15:00:00Z');
  const shop = { platform: 'woocommerce', shop: 'https://tienda.ec', storeId: 'tienda' };
  const row = { ...shop, version: 1, sweptTo: '2026-11-20T15:00:00.000Z', behind: {} as Behind };
  const told: string[] = [];
  const deps = {
    ledger: { sweeps: { freshness: async () => [{ ...row }] }, breakers: { list: async () => [] } },
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

test('a shop whose refunds alone cannot be read is told of by that name, however often it is tried', async () => {
  const { row, told, process, pass } = open();
  row.behind = { refunds: { since: row.sweptTo, failed: true } };
  const look = process();
  for (let minutes = 0; minutes <= 60; minutes += 10) {
    await look();
    row.version += 2;
    pass(10);
  }
  expect(told).toEqual([
    'Hace una hora que no se logra leer la lista de reembolsos de la tienda tienda: un reembolso que no cambió su pedido y cuyo aviso se perdió se queda sin nota de crédito.',
  ]);
});

test('a long way to catch up is no trouble while it goes on', async () => {
  const { row, told, process, pass } = open();
  row.behind = { review: { since: row.sweptTo, failed: false } };
  const look = process();
  for (let minutes = 0; minutes <= 180; minutes += 10) {
    await look();
    row.version += 1;
    pass(10);
  }
  expect(told).not.toContainEqual(expect.stringContaining('no se logra'));
});
