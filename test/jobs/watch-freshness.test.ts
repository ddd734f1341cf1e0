import { expect, test } from 'vitest';
import type { Alert } from '../../src/domain/alerts.ts';
import type { Behind } from '../../src/domain/listing.ts';
import { openFreshnessWatch } from '../../src/jobs/watch.ts';
import { alertTexts } from '../../src/messages/alerts.ts';

const minute = 60_000;

/** A shop whose search stands at `reconciledTo`, and the watches of the processes that look at it. */
function openShop() {
  let now = Date.parse('2026-11-20T15:00:00Z');
  const shop = { platform: 'woocommerce', shop: 'https://tienda.ec', storeId: 'tienda' };
  const row = { ...shop, version: 1, reconciledTo: '2026-11-20T15:00:00.000Z', behind: {} as Behind };
  const reported: string[] = [];
  const open: { code: string; subject: string }[] = [];
  const deps = {
    ledger: {
      reconciliations: { freshness: async () => [{ ...row }] },
      alerts: { open: async () => open },
    },
    clock: { now: () => new Date(now) },
    alerts: {
      raise: async ({ code, params }: Alert) => void reported.push(alertTexts(code, params).what),
      over: async () => void reported.push('over'),
    },
    timings: { reconciliation: { every: 5 * minute } },
    storeOf: () => ({}),
    shop: () => ({}),
  } as unknown as Parameters<typeof openFreshnessWatch>[0];
  return {
    row,
    reported,
    open,
    /** Another process, or the same after a restart. */
    process: () => openFreshnessWatch(deps),
    pass: (minutes: number) => {
      now += minutes * minute;
    },
  };
}

test('a shop that could not be searched for an hour raises an alert, which ends when the search moves on', async () => {
  const { row, reported, process, pass } = openShop();
  const look = process();
  await look();
  pass(59);
  await look();
  expect(reported).toEqual([]);
  pass(1);
  await look();
  expect(reported).toEqual([
    expect.stringMatching(/^Hace una hora que no se logra revisar la tienda tienda/),
  ]);
  row.reconciledTo = '2026-11-20T16:00:00.000Z';
  await look();
  expect(reported.at(-1)).toBe('over');
});

test('a shop that gives no access has its own alert, and none beside it for the missing search', async () => {
  const { reported, open, process, pass } = openShop();
  open.push({ code: 'shop-not-connected', subject: 'tienda' });
  const look = process();
  for (let hours = 0; hours < 3; hours += 1) {
    await look();
    pass(60);
  }
  expect(reported).toEqual([]);
  open[0] = { code: 'shop-not-connected', subject: 'otra' };
  await look();
  expect(reported).toHaveLength(1);
});

test('a process that starts while a shop is out of reach does not call it well again', async () => {
  const { reported, process, pass } = openShop();
  const first = process();
  await first();
  pass(60);
  await first();
  await process()();
  expect(reported).toHaveLength(1);
});

test('a shop whose refunds alone cannot be read raises an alert that names them, however often it is tried', async () => {
  const { row, reported, process, pass } = openShop();
  row.behind = { refunds: { since: row.reconciledTo, failed: true } };
  const look = process();
  for (let minutes = 0; minutes <= 60; minutes += 10) {
    await look();
    row.version += 2;
    pass(10);
  }
  expect(reported).toEqual([
    'Hace una hora que no se logra leer la lista de reembolsos de la tienda tienda: un reembolso que no cambió su pedido y cuyo aviso se perdió se queda sin nota de crédito.',
  ]);
});

test('a long way to catch up is no trouble while it goes on', async () => {
  const { row, reported, process, pass } = openShop();
  row.behind = { review: { since: row.reconciledTo, failed: false } };
  const look = process();
  for (let minutes = 0; minutes <= 180; minutes += 10) {
    await look();
    row.version += 1;
    pass(10);
  }
  expect(reported).not.toContainEqual(expect.stringContaining('no se logra'));
});
